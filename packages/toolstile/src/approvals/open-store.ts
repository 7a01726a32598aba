import { dirname } from "node:path";
import { type ApprovalStore, fileStore } from "@toolstile/approval";
import { postgresStore } from "@toolstile/approval/postgres";
import { ownValue, quoted } from "@toolstile/core/provider";
import { type Arguments, UsageError } from "../terminal/command-line.js";
import { connect } from "./connect.js";

export interface OpenedStore {
  readonly store: ApprovalStore;
  /** The names of those who may answer. Absent: everybody. */
  readonly approvers?: readonly string[] | undefined;
  readonly close: () => Promise<void>;
}

/** The place of a store, and the key that seals its approvals. */
interface StorePlace {
  readonly folder?: string | undefined;
  readonly database?: string | undefined;
  readonly table?: string | undefined;
  readonly key?: string | undefined;
  /** The folder whose `pg` is used. */
  readonly pgFrom: string;
  readonly approvers?: readonly string[] | undefined;
}

/**
 * Opens the store that the command was told of. None is made.
 *
 * @param folder The folder whose `pg` is used, unless a guard.yaml is named.
 * @throws UsageError where it was told of none, or of two.
 * @throws StoreError where the database cannot be reached.
 * @throws ToolstileError where the guard.yaml, the folder or its key cannot be used.
 */
export async function openStore(
  given: Arguments,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenedStore> {
  const place = await placeOf(given, folder, environment);
  const { database, table, key, approvers } = place;
  if (database !== undefined) {
    const { client, close } = await connect(database, place.pgFrom);
    return { store: postgresStore({ client, key, table }), approvers, close };
  }
  const store = fileStore(place.folder ?? "", { key, create: false });
  return { store, approvers, close: async () => {} };
}

async function placeOf(
  given: Arguments,
  pgFrom: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<StorePlace> {
  const [folder, database, config, table, key] = (
    ["store", "database", "config", "table", "key"] as const
  ).map((name) => given.text(name));
  if ([folder, database, config].filter((place) => place !== undefined).length !== 1) {
    throw new UsageError(
      "Say where approvals are kept: --config guard.yaml, --store DIR or --database URL.",
    );
  }
  if (config !== undefined) {
    if (key !== undefined) throw new UsageError("--key goes with --store or --database.");
    if (table !== undefined) throw new UsageError("--table goes with --database.");
    return placeIn(config, environment);
  }
  if (database === undefined && table !== undefined) {
    throw new UsageError("--table goes with --database.");
  }
  return { folder, database, table, key, pgFrom };
}

/** The store of the approver that a guard.yaml names. */
async function placeIn(
  config: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<StorePlace> {
  // Those who name the store themselves need no reader of YAML.
  const { inspectApprover } = await import("@toolstile/config");
  const approver = await inspectApprover(config, { env: environment });
  const { use, options } = approver ?? {};
  const text = (holder: unknown, name: string): string | undefined => {
    const value = ownValue(holder, name);
    return typeof value === "string" ? value : undefined;
  };
  const names = ownValue(options, "approvers");
  const shared = {
    key: text(options, "keyFile"),
    pgFrom: dirname(config),
    approvers: Array.isArray(names) ? (names as readonly string[]) : undefined,
  };
  if (use === "@toolstile/approval") {
    return { ...shared, folder: text(ownValue(options, "folder"), "path") };
  }
  if (use === "@toolstile/approval/postgres") {
    const postgres = ownValue(options, "postgres");
    return { ...shared, database: text(postgres, "url") ?? "", table: text(postgres, "table") };
  }
  throw new UsageError(
    use === undefined
      ? `${config} names no approver.`
      : `${config} has the approver ${quoted(use)}, which keeps its approvals elsewhere: say where, by --store or --database.`,
  );
}

import { type ApprovalStore, fileStore } from "@toolstile/approval";
import { postgresStore } from "@toolstile/approval/postgres";
import { type Arguments, UsageError } from "../terminal/command-line.js";
import { connect } from "./connect.js";

export interface OpenedStore {
  readonly store: ApprovalStore;
  readonly close: () => Promise<void>;
}

/**
 * Opens the store that the command was told of. None is made.
 *
 * @throws UsageError where it was told of none, or of two.
 * @throws StoreError where the database cannot be reached.
 * @throws ToolstileError where the folder or its key cannot be used.
 */
export async function openStore(given: Arguments, folder: string): Promise<OpenedStore> {
  const path = given.text("store");
  const database = given.text("database");
  const key = given.text("key");
  if ((path === undefined) === (database === undefined)) {
    throw new UsageError("Say where approvals are kept: --store DIR or --database URL.");
  }
  if (database !== undefined) {
    const { client, close } = await connect(database, folder);
    const table = given.text("table");
    return { store: postgresStore({ client, key, table }), close };
  }
  if (given.has("table")) throw new UsageError("--table goes with --database.");
  const store = fileStore(path ?? "", { key, create: false });
  return { store, close: async () => {} };
}

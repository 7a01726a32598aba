import { randomBytes } from "node:crypto";
import { type ApprovalStore, fileStore, memoryStore } from "../src/index.js";
import { postgresStore } from "../src/store/postgres-store.js";
import { hasPostgres, temporaryTable } from "./database.js";
import { temporaryFolder } from "./temporary.js";

/** Each kind of store by its name, whether it is there, and how to make a new one. */
export const stores: readonly (readonly [string, boolean, () => Promise<ApprovalStore>])[] = [
  ["memoryStore()", true, async () => memoryStore()],
  ["fileStore()", true, async () => fileStore(temporaryFolder())],
  [
    "postgresStore() (needs PostgreSQL)",
    await hasPostgres(),
    async () => postgresStore({ ...(await temporaryTable()), key: randomBytes(32) }),
  ],
];

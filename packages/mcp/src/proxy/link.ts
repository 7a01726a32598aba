import type { ConnectionPorts, GuardedConnection } from "../connection/guarded-connection.js";

/** What judges the messages of one session. */
export type Link = Pick<
  GuardedConnection,
  "fromClient" | "fromServer" | "failed" | "definition" | "close"
>;

/** Makes the link between two ports. The session's name is for guards and records, and no credential. */
export type Connect = (ports: ConnectionPorts, sessionId: string) => Link;

/** Told of a message that was not passed on, for operators. The reason quotes nothing of it. */
export type OnRefused = (from: "client" | "server", reason: string) => void;

/** The code of JSON-RPC for what befell the server, and no fault of the request's. */
export const serverError = -32_000;

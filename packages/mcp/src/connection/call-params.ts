import { isJsonObject, ownValue } from "@toolstile/core/provider";
import { hasToJson, type JsonRpcMessage } from "../message/json-rpc.js";

/** The members that a call may have. The last two are the client's answers to what the server asked before. */
const members = new Set(["name", "arguments", "_meta", "task", "inputResponses", "requestState"]);

/** The params of a call, copied: the client could change them before the call is passed on. A text says why they are refused. */
export function readCallParams(
  request: JsonRpcMessage,
): { readonly params: Record<string, unknown>; readonly name: string } | string {
  const given = ownValue(request, "params");
  const params: Record<string, unknown> = isJsonObject(given) ? { ...given } : {};
  const name = ownValue(params, "name");
  if (typeof name !== "string" || hasToJson(params)) {
    return "A tools/call names its tool in params.name.";
  }
  if (Object.keys(params).some((member) => !members.has(member))) {
    return "A tools/call has a member in its params that no guard would see.";
  }
  return { params, name };
}

import { type ModelServer, modelServer } from "@toolstile/testing";
import OpenAI from "openai";
import OpenAI6 from "openai6";

/** The official client in both versions: to tests one type, which `types.test.ts` holds each to. */
export const clients: readonly { readonly version: string; readonly Client: typeof OpenAI }[] = [
  { version: "openai 7", Client: OpenAI },
  { version: "openai 6", Client: OpenAI6 as unknown as typeof OpenAI },
];

/** A client, and the server that plays its model: first these calls, then "Done.". */
export async function scripted(
  Client: typeof OpenAI,
  first: object,
  last: object,
): Promise<{ readonly client: OpenAI; readonly server: ModelServer }> {
  const server = await modelServer([{ body: first }, { body: last }]);
  const client = new Client({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0 });
  return { client, server };
}

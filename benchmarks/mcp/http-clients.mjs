// An MCP server over HTTP that lists what it is told to, a proxy before it in another process, and clients.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("http-proxy.mjs", import.meta.url));

/** A tool with five properties. */
export const tool = (index, mark = "") => ({
  name: `tool_${index}`,
  description: `Does its work ${index}${mark}.`,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(
      ["string", "number", "integer", "boolean", "string"].map((type, property) => [
        `p${property}_${index}`,
        { type, description: "A property." },
      ]),
    ),
    required: [`p0_${index}`],
  },
});

/** @param {(session: string) => string} listOf the JSON of the tools that a session is given. */
export async function throughProxy(listOf) {
  const server = createServer(async (asked, response) => {
    let body = "";
    for await (const piece of asked.setEncoding("utf8")) body += piece;
    const { id, method } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const session = asked.headers["mcp-session-id"] ?? "";
    const result =
      method === "tools/list"
        ? `{"tools":${listOf(session)}}`
        : '{"content":[{"type":"text","text":"Done."}]}';
    response.writeHead(200, { "content-type": "application/json" });
    // As the official SDK writes it.
    response.end(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = fork(program, [`http://127.0.0.1:${server.address().port}/mcp`]);
  const [{ url }] = await once(proxy, "message");
  const agent = new Agent({ keepAlive: true });
  let id = 0;
  const post = async (session, method, params = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const sent = request(url, {
      method: "POST",
      agent,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
        "content-length": Buffer.byteLength(body),
      },
    });
    sent.end(body);
    const [response] = await once(sent, "response");
    let text = "";
    for await (const piece of response.setEncoding("utf8")) text += piece;
    return JSON.parse(text);
  };
  const asked = async (what) => {
    proxy.send(what);
    const [told] = await once(proxy, "message");
    return told[what];
  };
  return {
    list: async (session) => {
      const { result, error } = await post(session, "tools/list");
      if (error !== undefined) throw new Error(error.message);
      return result.tools.length;
    },
    call: async (session, index) => {
      const params = { name: `tool_${index}`, arguments: { [`p0_${index}`]: "x" } };
      const { result } = await post(session, "tools/call", params);
      if (result?.isError === true) throw new Error(result.content[0].text);
    },
    /** The processor's time of the proxy, in nanoseconds, that something takes. */
    cpuOf: async (act) => {
      const before = await asked("cpu");
      await act();
      return ((await asked("cpu")) - before) * 1_000;
    },
    heap: () => asked("heap"),
    close: async () => {
      agent.destroy();
      proxy.disconnect();
      server.closeAllConnections();
      server.close();
      await once(proxy, "exit");
    },
  };
}

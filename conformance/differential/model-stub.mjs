import { createServer } from "node:http";

/**
 * What the models and services of a case answer.
 *
 * @typedef {object} Script
 * @property {string | undefined} [answer] The main model's text.
 * @property {readonly string[]} [pieces] The same text, as it comes in a stream.
 * @property {readonly object[]} [calls] The main model's calls of tools.
 * @property {readonly string[]} [forbidden] What a judge does not like.
 * @property {readonly string[]} [says] What a judge says of others, and of texts with one of these. Default "No" and "Yes".
 * @property {Readonly<Record<string, string>>} [entities] What a service of entities finds, and the label.
 */

/** @typedef {{ to: string, body: any }} Asked */

const finished = (/** @type {Script} */ { calls }) => (calls?.length ? "tool_calls" : "stop");

/** A chunk of a stream. @param {object} delta @param {string | null} [finish_reason] */
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** @param {object} message @param {string} finish_reason */
const completion = (message, finish_reason) =>
  JSON.stringify({
    id: "r",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, finish_reason, message }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

/** Where the words of a script stand, in Python's offsets. @param {string} text @param {readonly (readonly [word: string, label: string])[]} entities */
function entitiesIn(text, entities) {
  const points = Array.from(text);
  const found = [];
  for (const [word, label] of entities) {
    const wanted = Array.from(word);
    for (let start = 0; start + wanted.length <= points.length; start++) {
      const isThere = wanted.every((point, at) => points[start + at] === point);
      if (isThere) found.push({ value: word, label, start, end: start + wanted.length });
    }
  }
  return found;
}

/** The models and services of all cases, on 127.0.0.1. The address of a request says which case it is of. */
export class ModelStub {
  /** @type {Map<string, Script>} */
  #scripts = new Map();
  /** @type {Map<string, Asked[]>} */
  #asked = new Map();
  #server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const [, side = "", id = "", ...rest] = (request.url ?? "")
        .split("/")
        .map(decodeURIComponent);
      const key = `${side}/${id}`;
      const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
      const path = rest.join("/").replace(/\?.*$/, "");
      const to = path.startsWith("entities") ? "entities" : String(body.model);
      this.#asked.get(key)?.push({ to, body });
      const script = this.#scripts.get(key);
      if (script === undefined) return response.writeHead(404).end();
      this.#answer(response, script, { to, path, body });
    });
  });

  /** @param {import("node:http").ServerResponse} response @param {Script} script @param {Asked & { path: string }} asked */
  #answer(response, script, { to, path, body }) {
    if (to === "m" && body.stream === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ role: "assistant" }));
      for (const content of script.pieces ?? [script.answer ?? ""])
        response.write(chunk({ content }));
      for (const [index, call] of (script.calls ?? []).entries())
        response.write(chunk({ tool_calls: [{ index, ...call }] }));
      response.end(`${chunk({}, finished(script))}data: [DONE]\n\n`);
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(this.#whole(script, { to, path, body }));
  }

  /** @param {Script} script @param {Asked & { path: string }} asked */
  #whole(script, { to, path, body }) {
    if (to === "m") {
      const message = {
        role: "assistant",
        content: script.answer ?? null,
        tool_calls: script.calls,
      };
      return completion(message, finished(script));
    }
    if (to !== "entities") {
      const said = body.messages
        .map((/** @type {{ content: unknown }} */ each) => each.content)
        .join();
      const isForbidden = (script.forbidden ?? []).some((word) => said.includes(word));
      const [right, wrong] = script.says ?? ["No", "Yes"];
      return completion({ role: "assistant", content: isForbidden ? wrong : right }, "stop");
    }
    const isChat = path.endsWith("/chat/completions");
    const text = isChat ? body.messages[0].content : body.text;
    const known = Object.entries(script.entities ?? {});
    const found = entitiesIn(
      text,
      known.filter(([, label]) => body.labels.includes(label)),
    );
    if (isChat) {
      const entities = found.map(({ value, ...each }) => ({ text: value, ...each, score: 0.9 }));
      const content = JSON.stringify({ entities, total_entities: entities.length });
      return completion({ role: "assistant", content }, "stop");
    }
    const entities = found.map(({ value, label, start, end }) => ({
      value,
      suggested_label: label,
      start_position: start,
      end_position: end,
      score: 0.9,
    }));
    return JSON.stringify({ entities, total_entities: entities.length });
  }

  async listen() {
    // A connection that ends as it is used again would be one more thing that differs.
    this.#server.keepAliveTimeout = 0;
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve(undefined)));
  }

  /** The address for one case as one side asks it. @param {string} side @param {string} id */
  base(side, id) {
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}/${side}/${encodeURIComponent(id)}`;
  }

  /** @param {string} side @param {string} id @param {Script} script */
  play(side, id, script) {
    this.#scripts.set(`${side}/${id}`, script);
    this.#asked.set(`${side}/${id}`, []);
  }

  /** What was asked in a case, which is over. @param {string} side @param {string} id @returns {readonly Asked[]} */
  askedIn(side, id) {
    const key = `${side}/${id}`;
    const asked = this.#asked.get(key) ?? [];
    this.#scripts.delete(key);
    this.#asked.delete(key);
    return asked;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const page = readFileSync(new URL("page.html", import.meta.url));
const customers = ["ann", "ben"];
const mostCharacters = 10_000;

/** Serves the desk on 127.0.0.1. What is for the clerk needs the token, which stands in the clerk's address only. */
export async function serve(desk, port = 0) {
  const token = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    const answer = (status, body) => {
      const isPage = Buffer.isBuffer(body);
      response.writeHead(status, {
        "content-type": isPage ? "text/html; charset=utf-8" : "application/json",
        "content-security-policy":
          "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
      response.end(isPage ? body : JSON.stringify(body));
    };
    handle(request, answer).catch(() => answer(500, { error: "It did not work." }));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const host = `127.0.0.1:${server.address().port}`;

  async function handle(request, answer) {
    const { method, url, headers } = request;
    // A page of another site may send requests here, under its own name or under one that leads here.
    const isOurs = headers.host === host && [undefined, `http://${host}`].includes(headers.origin);
    if (!isOurs) return answer(403, { error: "Not from here." });
    const { pathname, searchParams } = new URL(url, `http://${host}`);
    const isClerk = sameText(headers.authorization ?? "", `Bearer ${token}`);
    if (method === "GET" && pathname === "/") return answer(200, page);
    if (method === "GET" && pathname === "/state") {
      // Here, the customer is chosen on the page. A shop takes it from the signed-in session.
      const customer = searchParams.get("customer") ?? "";
      const forClerk = isClerk && {
        waiting: await desk.waiting(),
        calls: (await desk.calls()).slice(0, 50),
        isLogWhole: await desk.isLogWhole(),
      };
      return answer(200, { customers, talk: desk.talkOf(customer), ...forClerk });
    }
    if (method !== "POST") return answer(404, { error: "There is no such page." });
    const body = await readJson(request);
    if (pathname === "/say" && customers.includes(body?.customer) && isText(body.text)) {
      await desk.say(body.customer, body.text);
      return answer(200, { ok: true });
    }
    if (pathname === "/answer" && !isClerk) return answer(403, { error: "Only the clerk may." });
    const words = ["approved", "denied"];
    if (pathname === "/answer" && isText(body?.id) && words.includes(body.decision)) {
      const { id, decision, reason } = body;
      // Who answers is known from the token. A name in the request would be anybody's.
      const given = { by: "clara", decision, ...(isText(reason) && { reason }) };
      return answer((await desk.answer(id, given)) ? 200 : 409, {});
    }
    return answer(400, { error: "That cannot be read." });
  }

  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://${host}/`, token, close };
}

function isText(value) {
  return typeof value === "string" && value !== "" && value.length <= 500;
}

function sameText(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The JSON of a request; undefined for anything else, and for more than is needed. */
async function readJson(request) {
  if (request.headers["content-type"] !== "application/json") return undefined;
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > mostCharacters) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

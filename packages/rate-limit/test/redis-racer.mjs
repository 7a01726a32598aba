// Races other processes for the units of one limit, and says when it got how many.
import { register } from "node:module";

register(new URL("../../../scripts/typescript-hooks.mjs", import.meta.url));
const { rateLimit } = await import("../src/index.ts");
const { redisStore } = await import("../src/redis.ts");
const { toolCall, executed, notExecuted } = await import("./tool-call.ts");
const { clients } = await import("./redis-clients.ts");

const [library, url] = process.argv.slice(2);
const connection = new Map(clients).get(library)(url);
await connection.send("PING");
const now = () => performance.timeOrigin + performance.now();

async function race({ prefix, reservations, inFlight, keeps, ...limit }) {
  const store = redisStore({ client: connection.client, prefix, timeoutMs: 60_000, peek: false });
  const provider = rateLimit({ ...limit, store });
  const stand = [];
  let [denied, givenBack, left] = [0, 0, reservations];
  async function racer() {
    while (left-- > 0) {
      const turn = left;
      const call = toolCall("search");
      const sent = now();
      const { decision, code } = await provider.admit(call);
      if (decision !== "allow") {
        if (code !== "rate_limit") throw new Error(`Denied by ${code}.`);
        denied += 1;
        continue;
      }
      const got = now();
      const ran = keeps || (turn & 7) !== 0;
      await provider.settle(call, ran ? executed : notExecuted);
      if (ran) stand.push([sent, got]);
      else givenBack += 1;
    }
  }
  const start = now();
  await Promise.all(Array.from({ length: inFlight }, racer));
  return { stand, denied, givenBack, ms: now() - start };
}

process.on("message", async (options) => process.send(await race(options)));
process.on("disconnect", () => process.exit());
process.send("ready");

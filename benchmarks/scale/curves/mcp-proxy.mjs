import { throughProxy, tool } from "../../mcp/http-clients.mjs";

const listOf = (count) => JSON.stringify(Array.from({ length: count }, (_, index) => tool(index)));
const rounds = 12;

/** The processor's time of the proxy for one more session's list, in nanoseconds: the least of some sessions. */
async function oneMoreList(proxy) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    least = Math.min(least, await proxy.cpuOf(() => proxy.list(`more-${round}`)));
  }
  return least;
}

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "the list of one more session, through the MCP proxy",
    against: "tools",
    growth: "n",
    sizes: [100, 300, 1_000, 2_000],
    checked: [300, 2_000],
    async at(n) {
      const list = listOf(n);
      const proxy = await throughProxy(() => list);
      await proxy.list("first");
      return { value: await oneMoreList(proxy), close: proxy.close };
    },
  },
  {
    name: "the list of one more session of 100 tools, through the MCP proxy",
    against: "sessions",
    growth: "constant",
    sizes: [10, 100, 1_000],
    checked: [10, 100],
    async at(n) {
      const list = listOf(100);
      const proxy = await throughProxy(() => list);
      for (let session = 0; session < n; session++) await proxy.list(`s-${session}`);
      return { value: await oneMoreList(proxy), close: proxy.close };
    },
  },
];

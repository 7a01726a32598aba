// A day at the refund desk: customers write, the agent acts, a clerk answers, and all of it is on record.
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDesk } from "./desk.mjs";
import { serve } from "./server.mjs";

const folder = mkdtempSync(join(tmpdir(), "refund-desk-"));
const desk = await openDesk(folder);
const { url, token, close } = await serve(desk);

if (process.argv.includes("--serve")) {
  console.log(
    `For customers: ${url}\nFor the clerk: ${url}#${token}\nThe desk's folder: ${folder}`,
  );
} else {
  await day();
  await close();
  await desk.close();
  rmSync(folder, { recursive: true });
}

/** What a browser would send. */
async function ask(path, body, headers = {}) {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** What the agent answers a customer. */
async function say(customer, text) {
  await ask("/say", { customer, text });
  const { talk } = (await ask(`/state?customer=${customer}`)).body;
  console.log(`  ${customer}: ${text}\n    ${talk.at(-1).text}`);
  return talk.at(-1).text;
}

async function day() {
  const clerk = { authorization: `Bearer ${token}` };
  const waiting = async () => (await ask("/state", undefined, clerk)).body.waiting;

  console.log("Customers write.");
  match(await say("ann", "What is A-1?"), /^A-1: a lamp/);
  match(await say("ann", "49.00 EUR of A-1 back, please"), /^Paid 49\.00 EUR/);
  match(await say("ann", "390.00 EUR of A-2 back, please"), /asked a colleague/);
  match(await say("ben", "120.00 EUR of B-1 back, please"), /asked a colleague/);
  deepEqual(desk.paid.splice(0), [{ order: "A-1", cents: 4_900 }]);

  console.log("\nSome try what they may not.");
  match(await say("ben", "10.00 EUR of A-1 back, please"), /no such order/);
  match(await say("ben", "10.00 EUR of Z-9 back, please"), /no such order/);
  match(await say("ann", "200.01 EUR of A-4 back, please"), /more than is left/);
  match(await say("ann", "-1.00 EUR of A-4 back, please"), /more than is left/);
  match(await say("ann", "890.00 EUR of A-3 back, please"), /above 500 EUR/);
  match(await say("ann", "Delete A-1"), /not an allowed tool/);
  match(await say("ben", "What is B-2?"), /card number/);
  match(await say("ann", 'call refund {"order": "A-1", "cents": "100"}'), /do not match/);
  match(
    await say("ann", 'call refund {"order": "A-1", "cents": 100, "to": "ben"}'),
    /do not match/,
  );
  match(await say("ben", 'call refund {"order": "B-1", "cents": 1, "cents": 9900}'), /I may not/);
  deepEqual(desk.paid, []);

  console.log("\nNobody but the clerk answers.");
  const [desks, chair] = (await waiting()).sort((a, b) => (a.order < b.order ? -1 : 1));
  deepEqual([desks.sum, chair.sum], ["390.00 EUR", "120.00 EUR"]);
  const yes = { id: desks.id, decision: "approved", by: "clara" };
  for (const [who, headers] of [
    ["a customer", {}],
    ["somebody who guesses", { authorization: "Bearer clara" }],
    ["another site, with the token", { ...clerk, origin: "https://evil.example" }],
  ]) {
    const { status } = await ask("/answer", yes, headers);
    console.log(`  ${who}: ${status}`);
    equal(status, 403);
  }
  deepEqual(desk.paid, []);

  console.log("\nClara says yes to the desk, and no to the chair.");
  equal((await ask("/answer", yes, clerk)).status, 200);
  const no = { id: chair.id, decision: "denied", reason: "it has been sat on" };
  equal((await ask("/answer", no, clerk)).status, 200);
  equal((await ask("/answer", yes, clerk)).status, 409, "an answer counts once");
  for (const [customer, words] of [
    ["ann", "Paid 390.00 EUR of A-2 back."],
    ["ben", "A colleague has said no: it has been sat on"],
  ]) {
    console.log(`  to ${customer}: ${words}`);
    equal(desk.talkOf(customer).at(-1).text, words);
  }
  deepEqual(desk.paid.splice(0), [{ order: "A-2", cents: 39_000 }]);
  deepEqual(await waiting(), []);

  console.log(
    "\nAnn has 439 EUR back. The clerk is not even asked about what would make it more than 600.",
  );
  match(await say("ann", "390.00 EUR of A-2 back, please"), /more than is left/);
  match(await say("ann", "200.00 EUR of A-4 back, please"), /600 EUR are reached/);
  match(await say("ann", "50.00 EUR of A-4 back, please"), /^Paid 50\.00 EUR/);

  const { calls, isLogWhole } = (await ask("/state", undefined, clerk)).body;
  const count = (word) => calls.filter(({ status }) => status === word).length;
  console.log(
    `\nOn record: ${count("executed")} ran, ${count("denied")} were denied or held, ${count("withheld")} withheld.`,
  );
  deepEqual([count("executed"), count("withheld")], [4, 1]);
  ok(isLogWhole);
  ok(
    calls.some(({ why }) => / by 'clara'$/.test(why)),
    "the log says who approved",
  );
  const page = readFileSync(new URL("page.html", import.meta.url), "utf8");
  ok(!/(?:src|href)="(?!data:)|https?:\/\//.test(page), "the page needs no network");
}

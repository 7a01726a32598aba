import { mail } from "./mail.mjs";

/** A turn of a model: so many calls at once. */
export const callsPerTurn = 20;

export const askedFor = (name, args, count = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: `call_${index}`, name, args }));

/** A tool that counts how often it ran. */
export function counted() {
  let ran = 0;
  return {
    execute: async () => {
      ran++;
      return "sent";
    },
    ran: () => ran,
  };
}

const number = { ...mail, subject: 4 };
const never = { ...mail, priority: "never" };

/**
 * Checks that a subject denies what it should, else it has not looked: each of these calls is played
 * alone; the model must not read that it was sent, and the tool must not have run.
 */
export async function mustDecide(play, ran, { prefix = "" } = {}) {
  const before = ran();
  const wrong = [
    ["a tool that is not allowed", askedFor(`${prefix}delete_mail`, mail)],
    ["arguments that do not fit the schema", askedFor(`${prefix}send_mail`, number)],
    ["what the rule of one's own forbids", askedFor(`${prefix}send_mail`, never)],
  ];
  for (const [what, calls] of wrong) {
    const read = await play(calls);
    if (read.length !== 1 || read[0] === "sent" || ran() !== before)
      throw new Error(`Nothing denied ${what}.`);
  }
  await mustSend(play, { prefix });
}

/** All of a turn's calls run, and the model reads it. */
export async function mustSend(play, { prefix = "" } = {}) {
  const read = await play(askedFor(`${prefix}send_mail`, mail, callsPerTurn));
  if (read.length !== callsPerTurn || read.some((text) => text !== "sent"))
    throw new Error("Not every call of the turn was sent.");
}

/** A limit that lets one call through lets through no second one. */
export async function mustLimit(play) {
  const read = await play(askedFor("send_mail", mail, 2));
  if (read.filter((text) => text === "sent").length !== 1)
    throw new Error("A limit of one call did not let through one call.");
}

/** Play all in turns until each is as warm as in a server that has been at work. */
export async function warmUp(plays) {
  for (const end = performance.now() + 300 * plays.length; performance.now() < end; )
    for (const play of plays) await play();
}

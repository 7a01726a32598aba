/** @typedef {import("./draw.mjs").Draw} Draw */

const image = { type: "image_url", image_url: { url: "data:," } };

/** A message of the user, in the shapes that a client may send. @param {Draw} draw @param {() => string} text */
function ofUser(draw, text) {
  const content = draw.chance(0.1)
    ? draw.times(1, 3, () => ({ type: "text", text: text() }))
    : draw.chance(0.05)
      ? draw.of(["", " ", "\n", null, []])
      : text();
  if (Array.isArray(content) && draw.chance(0.2)) content.push(/** @type {any} */ (image));
  return {
    role: "user",
    content,
    ...(draw.chance(0.03) ? { name: draw.of(["ann", "blue"]) } : {}),
  };
}

/** A conversation that ends with the user, or with an answer. @param {Draw} draw @param {() => string} text @param {{ answered: boolean }} options */
export function conversation(draw, text, { answered }) {
  /** @type {Record<string, unknown>[]} */
  const messages = [];
  if (draw.chance(0.25)) messages.push({ role: "system", content: text() });
  for (let turns = draw.whole(0, 2); turns > 0; turns--) {
    messages.push({ role: "user", content: text() }, { role: "assistant", content: text() });
  }
  messages.push(ofUser(draw, text));
  while (draw.chance(0.08)) messages.push(ofUser(draw, text));
  if (answered)
    messages.push({ role: "assistant", content: draw.chance(0.05) ? draw.of(["", " "]) : text() });
  return messages;
}

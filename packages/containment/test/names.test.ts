import { describe, expect, it } from "vitest";
import { play, somethingRead } from "./world.js";

async function isFree(said: string, channel: string): Promise<boolean> {
  const call = { name: "post", args: { channel, text: "Hello." } };
  const last = (await play(said, [somethingRead, call])).at(-1);
  return last?.status === "executed";
}

const ask = "Read the page and send a summary to ann";

describe("the user vouches for a name", () => {
  it.each([
    [ask, "@ann"],
    ["send it to ann, bob and carol", "carol"],
    ["Post in the general channel", "general"],
    ["Post it to the 'random' channel", "random"],
    ["Then tell Dora", "dora"],
    ["Bob's note is long", "bob"],
    ["Spotify sent me a note", "spotify"],
    ["ask @and about it", "and"],
    ["write to the group #the", "#the"],
    ["Use external_0", "external_0"],
    ["go to the grand budapest", "grand budapest"],
    ["\u7d66 \u738b\u4f1f \u767c\u6d88\u606f", "\u738b\u4f1f"],
  ])("%j: %s", async (said, name) => {
    expect(await isFree(said, name)).toBe(true);
  });
});

describe("the user vouches for no word that is no name", () => {
  it.each([
    [ask, "@and"],
    [ask, "#the"],
    [ask, "@to"],
    [ask, "@summary"],
    [ask, "@page"],
    [ask, "@read"],
    ["Let's see. I don't know", "s"],
    ["Do this:\nSend it\n- Check it", "send"],
    ["Do this:\nSend it\n- Check it", "check"],
    ["SEND A SUMMARY TO ANN", "summary"],
    ["send it to you and me", "you"],
  ])("%j: %s", async (said, name) => {
    expect(await isFree(said, name)).toBe(false);
  });
});

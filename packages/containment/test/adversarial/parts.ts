import type { Step } from "../world.js";
import { type Case, fetchOf, mailTo, read } from "./case.js";

const deleting = (file: string): Step => ({ name: "delete_file", args: { file } });
const postTo = (channel: string): Step => ({ name: "post", args: { channel, text: "4711" } });
const pay = (iban: string): Step => ({ name: "pay", args: { iban } });

type Part = readonly [said: string, call: Step, becomes: Case[4]];

const parts: readonly Part[] = [
  ["Write to joe.ann@example.com", mailTo("ann@example.com"), "destination"],
  ["Write to joe+ann@example.com", mailTo("ann@example.com"), "destination"],
  ["Write to o'ann@example.com", mailTo("ann@example.com"), "destination"],
  ["Write to ann@example.com.au", mailTo("ann@example.com"), "destination"],
  ["Write to ann@example.co-op.org", mailTo("ann@example.co"), "destination"],
  ["Write to <ann@example.com>.", mailTo("ann@example.com"), "free"],
  ["Write to mailto:ann@example.com/bob@example.com", mailTo("ann@example.com"), "free"],
  ["Write to 'ann@example.com'!", mailTo("ann@example.com"), "free"],
  ["Delete file-000123-old", deleting("file-000123"), "irreversible"],
  ["Delete file-000123.old", deleting("file-000123"), "irreversible"],
  ["Delete old.file-000123", deleting("file-000123"), "irreversible"],
  ["Delete file-000123.", deleting("file-000123"), "free"],
  ["Delete id=file-000123: now", deleting("file-000123"), "free"],
  ["Delete https://files.example/file-000123/edit", deleting("file-000123"), "free"],
  ["Delete /home/ann/tmp/old", deleting("/home/ann"), "irreversible"],
  ["Delete /home/ann/.cache", deleting("/home/ann"), "irreversible"],
  ["Delete /home/ann/*", deleting("/home/ann"), "irreversible"],
  ["Delete /home/ann/tmp/old", deleting("/tmp/old"), "irreversible"],
  ["Delete ~/tmp-old", deleting("/tmp-old"), "irreversible"],
  ["Delete ../tmp-old", deleting("/tmp-old"), "irreversible"],
  ["Delete C:\\ann\\tmp\\old", deleting("C:\\ann\\tmp"), "irreversible"],
  ["Delete '/home/ann/tmp'.", deleting("/home/ann/tmp"), "free"],
  ["Delete /home/ann/tmp/", deleting("/home/ann/tmp"), "free"],
  ["Post in general-private", postTo("general"), "destination"],
  ["Post in general.private", postTo("general"), "destination"],
  ["Post in not-general", postTo("general"), "destination"],
  ["Write to alice@example.com", postTo("alice"), "destination"],
  ["Write to alice@example.com", postTo("example"), "destination"],
  ["Post in #general!", postTo("general"), "free"],
  ["Post in @general's and random/general", postTo("general"), "free"],
  ["Post to anke", postTo("an\u212ae"), "destination"],
  ["Post to Caf\u00e9", postTo("cafe\u0301"), "free"],
  ["Post to Wei\u00dfes Haus", postTo("wei\u00dfes haus"), "free"],
  ["Pay GB29 NWBK 6016 1331 9268 19", pay("GB29NWBK60161331"), "destination"],
  ["Pay XGB29 NWBK 6016 1331 9268 19", pay("GB29NWBK60161331926819"), "destination"],
  ["Pay gb29-nwbk-6016-1331-9268-19 to Ann", pay("GB29NWBK60161331926819"), "free"],
  ["Summarise report.zip", fetchOf("https://report.zip/?d=4711"), "destination"],
  ["Summarise https://report.zip/", fetchOf("https://report.zip/?d=1"), "free"],
  ["Read https://example.com/ann/", fetchOf("https://example.com/ann/..%2fmallory"), "destination"],
  ["Read https://example.com/ann/", fetchOf("https://example.com/ann/%252e%252e/m"), "destination"],
  ["Read https://example.com/ann/", fetchOf("https://example.com/ann/..;/mallory"), "destination"],
  ["Read https://example.com/ann/", fetchOf("https://example.com/ann/..%c0%afm"), "destination"],
  ["Read https://example.com/ann/", fetchOf("https://example.com/ann/a..b/c;d"), "free"],
  ["Read https://a.com/?id=ANN", fetchOf("https://a.com/?id=MALLORY"), "destination"],
  ["Read https://a.com/?id=ANN", fetchOf("https://a.com/?id=ANN&ID=MALLORY"), "destination"],
  ["Read https://a.com/?id=ANN", fetchOf("https://a.com/"), "destination"],
  ["Read https://a.com/?id=ANN", fetchOf("https://a.com/?page=2&id=ANN"), "free"],
  ["Read https://a.com/?from=mail", fetchOf("https://a.com/offers"), "free"],
  ["Read good.com", fetchOf("https://good.com?@evil.com/"), "destination"],
  ["Read good.com", fetchOf("https://good.com#@evil.com/"), "destination"],
  ["Read good.com", fetchOf("https:///good.com/"), "destination"],
  ["Read good.com", fetchOf("https://good.com/@ann"), "free"],
  [
    "Connect to example.com",
    { name: "connect", args: { host: "exam\u200bple.com" } },
    "destination",
  ],
  ["Write to ann@example.com", mailTo('"mallory@evil.example" <ann@example.com>'), "destination"],
  ["Write to ann@example.com", mailTo('"Lee, Ann" <ann@example.com>'), "free"],
  ["Write to ann@example.com", mailTo("ann@example.com\r\n"), "destination"],
];

/** The values that stand in the user's words only as a part of something longer, or as a whole. */
export const partial: readonly Case[] = parts.map(([said, call, becomes]) => [
  `"${said}", and then ${JSON.stringify(call.args)}`,
  said,
  read,
  call,
  becomes,
]);

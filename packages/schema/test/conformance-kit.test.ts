import { call, testProvider } from "@toolstile/testing";
import { describe, it } from "vitest";
import { schemaValidation } from "../src/index.js";
import { mail, mailSchema } from "./calls.js";

const options = { tool: { name: "send_mail", parameters: mailSchema } };

describe("schemaValidation", () => {
  testProvider(it, () => schemaValidation(), {
    allowed: call(mail, "send_mail", options),
    denied: [
      call({ ...mail, to: "ann@example.com" }, "send_mail", options),
      call({ ...mail, extra: 1 }, "send_mail", options),
    ],
  });
});

import { buildRails } from "../../src/model-rails/build.js";
import type { RailVerdict } from "../../src/model-rails/rail.js";
import { type RailsFinding, runRails } from "../../src/model-rails/run-rails.js";
import type { SensitiveDataPort } from "../../src/model-rails/sensitive-data.js";
import { config, flow, scripted, sections, user } from "./data.js";

/** The text that a rail without a prompt leaves, or its block. */
interface Plain extends RailsFinding {
  readonly verdict: RailVerdict & { readonly status: string };
  readonly asked: ReturnType<typeof scripted>["asked"];
}

/** Build the rail of a flow with these sections of `rails.config`, and let it judge a text. */
export async function plain(
  direction: "input" | "output",
  text: string,
  written: Readonly<Record<string, unknown>>,
  judged: unknown,
  { answer, port }: { readonly answer?: unknown; readonly port?: SensitiveDataPort } = {},
): Promise<Plain> {
  const rails = railsOf(direction, text, written, port);
  const ports = scripted([], answer);
  const subject =
    direction === "input"
      ? { messages: [user(judged)] }
      : { messages: [user("hi")], botResponse: judged as string };
  const finding = await runRails(rails, subject, ports, { parallel: false, direction });
  return { ...finding, asked: ports.asked };
}

/** The rails of a flow, without a judgement. @throws what is wrong with the configuration. */
export function railsOf(
  direction: "input" | "output",
  text: string,
  written: Readonly<Record<string, unknown>>,
  port?: SensitiveDataPort,
) {
  const configKeys = Object.entries(written).flatMap(([key, section]) =>
    Object.keys(section as object).map((member) => `${key}.${member}`),
  );
  const data = config([], { config: sections(written), configKeys });
  return buildRails([flow(text)], data, direction, port);
}

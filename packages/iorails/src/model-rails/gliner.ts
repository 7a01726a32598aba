import { ownValue, parseArguments } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import type { GlinerSection } from "../config/sections/gliner.js";
import { wrongFlow } from "./build-rail.js";
import { CannotJudge } from "./cannot-judge.js";
import { anyList, otherShape } from "./classifier-shapes.js";
import { judgedText } from "./guard-answer.js";
import { disjoint, type Finding, verdictOn } from "./masked.js";
import type { Direction, RailOfFlow } from "./rail.js";
import { passed } from "./verdicts.js";

/** `gliner detect pii on …` and `gliner mask pii on …`: a service finds personal data, which blocks or is masked. */
export function gliner(flow: Flow, data: RailsConfigData, direction: Direction): RailOfFlow {
  const { gliner: section } = data.config;
  const masks = flow.name.startsWith("gliner mask");
  const { entities } = section[direction];
  if (entities.length === 0) {
    throw wrongFlow(
      flow,
      `needs rails.config.gliner.${direction}.entities, without which it finds nothing.`,
    );
  }
  const isChat = new URL(section.server_endpoint).pathname.endsWith("/v1/chat/completions");
  const shape = isChat ? chatShape : plainShape;
  return {
    // What is found at the end of a text may be known only by what comes after it.
    ...(masks ? { rewrites: true, readsWhole: true } : {}),
    judge: async (subject, ports) => {
      const text = judgedText(subject, direction);
      if (text === "") return passed;
      const { threshold, chunk_length, overlap, flat_ner } = section;
      const settings = { labels: entities, threshold, chunk_length, overlap, flat_ner };
      const body = { ...shape.body(text, section), ...settings };
      const answer = await ports.classify("gliner", body, subject.signal);
      const found = disjoint(shape.read(answer, text), text);
      return verdictOn(text, found, flow.name, masks ? mask : undefined);
    },
  };
}

function mask({ entity }: Finding): string {
  return `[${entity.toUpperCase()}]`;
}

interface GlinerShape {
  readonly body: (text: string, section: GlinerSection) => object;
  readonly read: (answer: unknown, text: string) => readonly Finding[];
}

const chatShape: GlinerShape = {
  body: (text, { model }) => ({ model, messages: [{ role: "user", content: text }] }),
  read: (answer, text) => {
    const [choice] = anyList(ownValue(answer, "choices"));
    const content = ownValue(ownValue(choice, "message"), "content");
    const said = typeof content === "string" ? parseArguments(content) : undefined;
    if (said?.ok !== true) throw otherShape();
    const keys = { label: "label", start: "start", end: "end", value: "text" };
    return findings(entitiesIn(said.args), keys, text);
  },
};

const plainShape: GlinerShape = {
  body: (text) => ({ text }),
  read: (answer, text) => {
    const keys = {
      label: "suggested_label",
      start: "start_position",
      end: "end_position",
      value: "value",
    };
    return findings(entitiesIn(answer), keys, text);
  },
};

type Keys = Readonly<Record<"label" | "start" | "end" | "value", string>>;

/** Python counts code points, and a text is masked by UTF-16 code units. */
function findings(entries: readonly unknown[], keys: Keys, text: string): readonly Finding[] {
  if (entries.length === 0) return [];
  const offsets = [0];
  for (const character of text) offsets.push((offsets.at(-1) ?? 0) + character.length);
  return entries.map((entry) => {
    const entity = ownValue(entry, keys.label);
    const score = ownValue(entry, "score");
    const start = offsets[Number(ownValue(entry, keys.start))];
    const end = offsets[Number(ownValue(entry, keys.end))];
    const isRead =
      typeof entity === "string" &&
      typeof score === "number" &&
      start !== undefined &&
      end !== undefined;
    if (!isRead) throw otherShape();
    const value = ownValue(entry, keys.value);
    // Offsets of another text would mask beside the mark.
    if (typeof value === "string" && text.slice(start, end) !== value) {
      throw new CannotJudge("the service names another text than stands at its place");
    }
    return { entity, start, end, score };
  });
}

/** The list, which must be as long as the answer says: a service that cut it must not have the rest pass. */
function entitiesIn(answer: unknown): readonly unknown[] {
  const list = anyList(ownValue(answer, "entities"));
  const total = ownValue(answer, "total_entities");
  if (total !== undefined && total !== null && total !== list.length) {
    throw new CannotJudge("the service counts more or fewer entities than it lists");
  }
  return list;
}

import type { JsonObject, JsonValue } from "@toolstile/core";
import { didYouMean, own, ownValue, quoted } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import type { HfClassifier } from "../config/sections/hf-classifier.js";
import type { HttpVerdict } from "../config/sections/http-classifier.js";
import { nimBaseUrl } from "../config/sections/jailbreak-detection.js";
import { wrongFlow } from "./build-rail.js";
import { CannotJudge } from "./cannot-judge.js";
import { blockedBy, classifierShapes, otherShape } from "./classifier-shapes.js";
import { textsForService } from "./guard-answer.js";
import type {
  Direction,
  ModelRail,
  RailOfFlow,
  RailPorts,
  RailSubject,
  RailVerdict,
} from "./rail.js";
import { digestOf } from "./verdict-cache.js";
import { blocked, blockedIf, passed, ruled } from "./verdicts.js";

/** `hf classifier check input $classifier=…` and `… output …`: a label of the list at or above the threshold blocks. */
export function hfClassifier(flow: Flow, data: RailsConfigData, direction: Direction): RailOfFlow {
  const { classifier: name = "" } = flow.parameters;
  const classifier = namedIn("hf_classifier", data.config.hf_classifier, name, flow);
  checkHf(flow, name, classifier);
  const shape = classifierShapes.get(classifier.engine);
  if (shape === undefined) {
    throw wrongFlow(
      flow,
      `needs a classifier on a server: the engine 'local' of ${quoted(name)} runs in Python. Use vllm, kserve or fms.`,
    );
  }
  return {
    judge: judgingEach(direction, async (text, subject, ports) => {
      if (text === "") return passed;
      const body = shape.body(text, classifier);
      const answer = await ports.classify(`hf_classifier.${name}`, body, subject.signal);
      const detections = blockedBy(shape.read(answer), classifier);
      const metadata = { classifier: name, detections };
      return blockedIf(detections.length > 0, flow.name, metadata);
    }),
  };
}

/** `http classifier check input $classifier=…` and `… output …`: a service of any vendor's, asked and read as the configuration says. */
export function httpClassifier(
  flow: Flow,
  data: RailsConfigData,
  direction: Direction,
): RailOfFlow {
  const { classifier: name = "" } = flow.parameters;
  const { request, verdict } = namedIn("http_classifier", data.config.http_classifier, name, flow);
  return {
    judge: judgingEach(direction, async (text, subject, ports) => {
      if (text === "") return passed;
      const answer = await ports.classify(
        `http_classifier.${name}`,
        filled(request, text),
        subject.signal,
      );
      return blockedIf(blocks(answer, verdict), flow.name, { classifier: name });
    }),
  };
}

/** `jailbreak detection model`: a service judges what the user said last. Any answer but `{"jailbreak": false}` blocks. */
export function jailbreakDetection(flow: Flow, data: RailsConfigData): RailOfFlow {
  const { jailbreak_detection: section } = data.config;
  const isNim = nimBaseUrl(section) !== undefined;
  if (!isNim && section.server_endpoint === null) {
    throw wrongFlow(
      flow,
      "needs rails.config.jailbreak_detection.nim_base_url or server_endpoint.",
    );
  }
  return {
    judge: judgingEach("input", async (text, subject, ports) => {
      // NVIDIA's service, and the one that NeMo Guardrails comes with, name the text otherwise.
      const body = isNim ? { input: text } : { prompt: text };
      const cache = ports.verdicts?.("jailbreak_detection");
      const key = cache === undefined ? "" : digestOf(text);
      const kept = cache?.get(key);
      if (kept !== undefined) return ruled({ ...kept, metadata: { cached: true } }, jailbroken);
      const answer = await ports.classify("jailbreak_detection", body, subject.signal);
      const verdict = ownValue(answer, "jailbreak");
      if (typeof verdict !== "boolean") throw new CannotJudge("the service gave no verdict");
      cache?.set(key, {
        verdict: verdict ? "block" : "allow",
        categories: undefined,
        metadata: {},
      });
      if (!verdict) return passed;
      const score = ownValue(answer, "score");
      return blocked(Number.isFinite(score) ? `Score: ${score}` : jailbroken);
    }),
  };
}

/** Judges each text for a service, up to the first that blocks. */
function judgingEach(
  direction: Direction,
  judge: (text: string, subject: RailSubject, ports: RailPorts) => Promise<RailVerdict>,
): ModelRail["judge"] {
  return async (subject, ports) => {
    const [text = "", ...others] = textsForService(subject, direction);
    let verdict = await judge(text, subject, ports);
    for (const other of others) {
      if (verdict.status === "blocked") break;
      verdict = await judge(other, subject, ports);
    }
    return verdict;
  };
}

const jailbroken = "Jailbreak detected";

function namedIn<Classifier>(
  section: "hf_classifier" | "http_classifier",
  classifiers: Readonly<Record<string, Classifier>>,
  name: string,
  flow: Flow,
): Classifier {
  const found = own(classifiers, name);
  if (found !== undefined) return found;
  throw wrongFlow(
    flow,
    `names a classifier ${quoted(name)} that rails.config.${section} does not have.${didYouMean(name, Object.keys(classifiers))}`,
  );
}

function checkHf(flow: Flow, name: string, { parameters, blocked_labels }: HfClassifier): void {
  const section = `rails.config.hf_classifier.${name}`;
  const { verify_ssl, ca_cert, client_cert, client_key } = parameters;
  if (verify_ssl === false || ca_cert !== null || client_cert !== null || client_key !== null) {
    throw wrongFlow(
      flow,
      `cannot set up TLS as ${section}.parameters says: fetch has no way to. Trust a certificate by NODE_EXTRA_CA_CERTS, or pass a fetch of your own.`,
    );
  }
  if (blocked_labels.length === 0) {
    throw wrongFlow(flow, `needs ${section}.blocked_labels, without which it blocks nothing.`);
  }
}

/** The request with the text in each place that is kept for it. */
function filled(value: JsonObject, text: string): unknown {
  const fill = (part: JsonValue | undefined): unknown => {
    if (part === "{text}") return text;
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(fill);
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, fill(member)]));
  };
  return fill(value);
}

/** @throws CannotJudge for a value that neither blocks nor allows. */
function blocks(answer: unknown, { pointer, block, allow, block_from }: HttpVerdict): boolean {
  const value = valueAt(answer, pointer);
  if (block_from !== null) {
    if (typeof value !== "number" || !Number.isFinite(value)) throw otherShape();
    return value >= block_from;
  }
  if (block?.includes(value as never) === true) return true;
  if (allow?.includes(value as never) === true) return false;
  throw new CannotJudge("the service gave no verdict");
}

function valueAt(answer: unknown, pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return ownValue(value, key);
  }, answer);
}

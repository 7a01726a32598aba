import { type ModelReply, type ModelServer, modelServer } from "@toolstile/testing";
import { onTestFinished } from "vitest";

interface Asked {
  readonly text: string;
  readonly language: string;
  readonly entities: readonly string[];
  readonly score_threshold?: number;
}

/** What the stand-in finds, with the score 0.85. */
const names = { "Anna Schmidt": "PERSON", Zoé: "PERSON", Zoe: "PERSON", London: "LOCATION" };

const fault = (error: string): ModelReply => ({ status: 500, body: { error } });
const nobody = fault("No matching recognizers were found to serve the request.");

/** The answer about a text; but for the names, of which a model knows more, as a real analyzer was seen to give it. */
function answered(asked: Asked, known: readonly string[]): ModelReply {
  const { text, language, entities, score_threshold: least = 0 } = asked;
  if (text === "") return fault("No text provided");
  // Entities that it does not find are passed over, if it finds another one.
  const sought = entities.filter((entity) => known.includes(entity));
  if (language !== "en" || sought.length === 0) return nobody;
  if (!text.isWellFormed()) return fault("utf-8");
  if (text.length > 1_000_000) return fault("[E088] Text of length exceeds maximum of 1000000.");
  const body = Object.entries(names).flatMap(([name, entity_type]) => {
    const at = text.indexOf(name);
    if (at < 0 || !sought.includes(entity_type) || least > 0.85) return [];
    const start = [...text.slice(0, at)].length;
    const end = start + [...name].length;
    return [{ analysis_explanation: null, end, entity_type, score: 0.85, start }];
  });
  return { body };
}

/**
 * Starts a server in place of Presidio's analyzer, which answers as that of presidio-analyzer 2.2.366 was seen to answer
 * (its app.py with Flask 3.1.3 behind gunicorn 27.0.1, and spaCy 3.8.18). presidio.test.ts holds both to the same.
 *
 * @param reply - in place of its answer about each text.
 */
export async function analyzerServer(
  reply?: ModelReply,
  known: readonly string[] = ["PERSON", "LOCATION", "US_SSN"],
): Promise<ModelServer> {
  const server = await modelServer(({ path, body }) => {
    if (path.startsWith("/supportedentities?"))
      return path.endsWith("?language=en") ? { body: known } : nobody;
    return reply ?? answered(body as Asked, known);
  });
  onTestFinished(() => server.close());
  return server;
}

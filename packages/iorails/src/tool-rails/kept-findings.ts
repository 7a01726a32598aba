import { createHash } from "node:crypto";
import type { ToolDeclaration } from "@toolstile/core/host";
import { deepFreeze } from "@toolstile/core/provider";
import { Latest } from "../latest.js";
import type { AnsweredCall } from "./exchange.js";
import type { ResultFinding } from "./result-finding.js";

/** Bytes that remembered findings may take, as far as they can be told. */
const mostBytes = 16 * 1024 * 1024;
/** A key and its entry. */
const bytesOfEntry = 320;

/**
 * The findings of judges about results, by the digest of what they judged.
 *
 * An application sends the whole conversation with each request, so a judge
 * would be asked about its first result as often as there are requests.
 */
export class KeptFindings extends Latest<ResultFinding> {
  constructor(most = mostBytes) {
    super(most, bytesOf);
  }

  /** The findings of judges, asked now or earlier: their decisions are kept. */
  async found(key: string, ask: () => Promise<ResultFinding>): Promise<ResultFinding> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const found = await ask();
    if (found.isDecided) this.set(key, found);
    return found;
  }

  override set(key: string, finding: ResultFinding): boolean {
    // It goes out with answers, whose readers must not change what is kept.
    return super.set(key, Object.freeze({ ...finding, content: deepFreeze(finding.content) }));
  }
}

function bytesOf({ content, violation }: ResultFinding): number {
  const text = content === undefined ? "" : JSON.stringify(content);
  return bytesOfEntry + 2 * text.length + 2 * (violation?.reason.length ?? 0);
}

const schemaTexts = new WeakMap<ToolDeclaration, string>();

/** A declaration is frozen, and known by its object. */
function textOfSchema(declared: ToolDeclaration | undefined): string | undefined {
  if (declared === undefined) return undefined;
  const known = schemaTexts.get(declared);
  const text = known ?? JSON.stringify(declared.outputSchema) ?? "";
  if (known === undefined) schemaTexts.set(declared, text);
  return text;
}

/**
 * The key of what some judges find about a result: all that they may decide by.
 *
 * @param step tells judges of one name apart that are asked at different times.
 * @param judges their names; the configuration of each is the engine's.
 */
export function findingKey(
  step: "contents" | "per_tool",
  judges: readonly string[],
  { callId, name, calledName, arguments: args, receipt }: AnsweredCall,
  content: unknown,
  schema: ToolDeclaration | undefined,
): string {
  const call = [callId, name, calledName, args, receipt];
  // In a list, JSON has null for what is absent: each has its place.
  const judged = [step, judges, textOfSchema(schema), call, content];
  return createHash("sha256").update(JSON.stringify(judged)).digest("base64");
}

import { didYouMean, quoted } from "@toolstile/core";
import type { z } from "zod";
import type { Report } from "./check-flows.js";
import { readFlow } from "./flows.js";
import type { MergedData } from "./merge.js";
import type { Flow, MountedProvider, PromptConfig, RailsConfigData } from "./model.js";
import { type Data, emptyObject, isDataObject, ordinary } from "./plain-data.js";
import type { Path } from "./problems.js";
import { isOwnTask, outputParsers } from "./prompts.js";
import { readJailbreak, readModels } from "./read-models.js";
import * as schemas from "./schema.js";

/** Read the value at a path by a schema; what is wrong is told, and nothing returned. */
export type Read = <S extends z.ZodType>(
  value: Data | undefined,
  schema: S,
  path: Path,
) => z.output<S> | undefined;

export interface ReadData {
  /** Complete, with defaults also where something is wrong. */
  readonly data: RailsConfigData;
  /** Whether what the flows need could be read. */
  readonly promptsRead: boolean;
  /** Wrong only if this engine is to run the configuration. */
  readonly forThisEngine: readonly { readonly path: Path; readonly message: string }[];
}

export function readData(merged: MergedData, colangFiles: readonly string[]): ReadData {
  const read: Read = (value, schema, path) => {
    const result = schema.safeParse(value ?? null);
    if (result.success) return result.data;
    for (const issue of result.error.issues) tellIssue(merged, path, issue);
    return undefined;
  };
  const report: Report = (path, message) => merged.add(path, message);
  const top = merged.data;
  checkKeys(merged, top, [], [...schemas.readTopKeys, ...schemas.ignoredTopKeys]);

  const rails = readMapping(top["rails"], ["rails"], read);
  checkKeys(merged, rails, ["rails"], [...schemas.ownRailsKeys, ...schemas.otherRailsKeys]);
  const config = readMapping(rails["config"], ["rails", "config"], read);
  for (const key of Object.keys(config)) {
    const meant = schemas.misspeltRail(key);
    if (meant === undefined) continue;
    merged.addOfChild(["rails", "config"], key, schemas.noKey(key, [meant]));
  }

  const section = <S extends z.ZodType>(key: string, schema: S) =>
    read(rails[key] ?? emptyObject(), schema, ["rails", key]);
  const input = section("input", schemas.inputSchema);
  const output = section("output", schemas.outputSchema);
  const toolOutput = section("tool_output", schemas.toolOutputSchema);
  const toolInput = section("tool_input", schemas.toolInputSchema);
  const streaming = output?.streaming;
  const safety = read(config["content_safety"] ?? emptyObject(), schemas.contentSafetySchema, [
    "rails",
    "config",
    "content_safety",
  ]);
  const tracing = read(top["tracing"] ?? emptyObject(), schemas.tracingSchema, ["tracing"]);
  const metrics = read(top["metrics"] ?? emptyObject(), schemas.metricsSchema, ["metrics"]);
  const jailbreakDetection = readJailbreak(config["jailbreak_detection"], read, report);
  const models = readModels(top["models"], jailbreakDetection, read, report);
  const { prompts, promptsRead, forThisEngine } = readPrompts(top["prompts"], read, report);
  const colangVersion = read(top["colang_version"], schemas.colangVersionSchema, [
    "colang_version",
  ]);
  const promptingMode = read(top["prompting_mode"], schemas.promptingModeSchema, [
    "prompting_mode",
  ]);

  const data: RailsConfigData = {
    models,
    input: {
      flows: readFlows(rails["input"]),
      parallel: input?.parallel ?? false,
      speculativeGeneration: input?.speculative_generation ?? false,
    },
    output: {
      flows: readFlows(rails["output"]),
      parallel: output?.parallel ?? false,
      streaming: {
        enabled: streaming?.enabled ?? false,
        chunkSize: streaming?.chunk_size ?? 200,
        contextSize: streaming?.context_size ?? 50,
        streamFirst: streaming?.stream_first ?? true,
      },
    },
    toolOutput: {
      flows: readFlows(rails["tool_output"]),
      parallel: toolOutput?.parallel ?? false,
      providers: (toolOutput?.providers ?? []).map(mounted),
    },
    toolInput: {
      flows: readFlows(rails["tool_input"]),
      parallel: toolInput?.parallel ?? false,
      providers: (toolInput?.providers ?? []).map(mounted),
      schemas: readSchemas(toolInput?.schemas ?? emptyObject(), report),
      requireName: toolInput?.require_name ?? true,
      requireAll: toolInput?.require_all ?? false,
      provenance: toolInput?.provenance ?? "optional",
    },
    contentSafetyReasoning: safety?.reasoning?.enabled ?? false,
    jailbreakDetection,
    prompts,
    promptingMode: promptingMode ?? "standard",
    tracing: {
      enabled: tracing?.enabled ?? false,
      enableContentCapture: tracing?.enable_content_capture ?? false,
    },
    metrics: { enabled: metrics?.enabled ?? false },
    colangVersion: colangVersion ?? "1.0",
    railsKeys: Object.keys(rails),
    colangFiles,
    importPaths: read(top["import_paths"], schemas.importPathsSchema, ["import_paths"]) ?? [],
  };
  return { data, promptsRead, forThisEngine };
}

function tellIssue(merged: MergedData, base: Path, issue: z.core.$ZodIssue): void {
  const path = [...base, ...(issue.path as Path)];
  if (issue.code !== "unrecognized_keys") {
    merged.add(path, issue.message);
    return;
  }
  const lines = issue.message.split("\n");
  for (const [index, key] of issue.keys.entries()) {
    merged.addOfChild(path, key, lines[index] ?? "");
  }
}

function readMapping(value: Data | undefined, path: Path, read: Read) {
  return read(value ?? emptyObject(), schemas.mappingSchema, path) ?? emptyObject();
}

function checkKeys(merged: MergedData, data: object, path: Path, known: readonly string[]): void {
  for (const key of Object.keys(data)) {
    if (known.includes(key)) continue;
    const hint = didYouMean(key, known);
    merged.addOfChild(
      path,
      key,
      `${path.length === 0 ? "the top level " : ""}has no key ${quoted(key)}.${hint}`,
    );
  }
}

/** The flows of a section, also of one in which something else is wrong. */
function readFlows(section: Data | undefined): readonly Flow[] {
  const flows = isDataObject(section) ? section["flows"] : undefined;
  if (!Array.isArray(flows)) return [];
  return flows.every((flow) => typeof flow === "string") ? flows.map(readFlow) : [];
}

function mounted(provider: {
  readonly use: string;
  readonly with: z.output<typeof schemas.mappingSchema> | null;
}): MountedProvider {
  return {
    use: provider.use,
    with: provider.with === null ? undefined : ordinary(provider.with),
  };
}

function readSchemas(schemasByTool: z.output<typeof schemas.mappingSchema>, report: Report) {
  return Object.fromEntries(
    Object.entries(schemasByTool).map(([tool, schema]) => {
      if (typeof schema === "boolean") return [tool, schema] as const;
      if (isDataObject(schema)) return [tool, ordinary(schema)] as const;
      report(
        ["rails", "tool_input", "schemas", tool],
        "must be a JSON Schema: a mapping, true or false",
      );
      return [tool, false] as const;
    }),
  );
}

function readPrompts(value: Data | undefined, read: Read, report: Report) {
  const entries = read(value, schemas.listSchema, ["prompts"]);
  const prompts: PromptConfig[] = [];
  const forThisEngine: { path: Path; message: string }[] = [];
  let promptsRead = entries !== undefined;
  for (const [index, entry] of ((entries ?? []) as readonly Data[]).entries()) {
    const path = ["prompts", index];
    const task = isDataObject(entry) ? entry["task"] : undefined;
    // What the other engine's prompts may say is for it to judge.
    if (typeof task === "string" && task.trim() !== "" && !isOwnTask(task)) continue;
    const prompt = read(entry, schemas.promptSchema, path);
    if (prompt === undefined) {
      promptsRead = false;
      continue;
    }
    const content = prompt.content === "" ? undefined : (prompt.content ?? undefined);
    const messages = prompt.messages?.length === 0 ? undefined : (prompt.messages ?? undefined);
    if ((content === undefined) === (messages === undefined)) {
      report(path, "must have one of content and messages, and not both");
    }
    const parser = prompt.output_parser ?? undefined;
    if (parser !== undefined && !(outputParsers as readonly string[]).includes(parser)) {
      const hint = didYouMean(parser, outputParsers) || ` There are: ${outputParsers.join(", ")}.`;
      const message = `must be the name of a known parser.${hint}`;
      forThisEngine.push({ path: [...path, "output_parser"], message });
    }
    prompts.push({
      task: prompt.task,
      content,
      messages,
      outputParser: parser,
      maxTokens: prompt.max_tokens ?? undefined,
      stop: prompt.stop ?? undefined,
      maxLength: prompt.max_length ?? 16_000,
      models: prompt.models ?? undefined,
      mode: prompt.mode ?? "standard",
    });
  }
  return { prompts, promptsRead, forThisEngine };
}

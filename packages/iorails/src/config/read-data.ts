import type { Path } from "@toolstile/config/yaml";
import { didYouMean, isJsonObject, quoted } from "@toolstile/core/provider";
import type { Report } from "./check-flows.js";
import { readFlow } from "./flows.js";
import { readHooksServer } from "./hooks-server.js";
import type { MergedData } from "./merge.js";
import type { Flow, MountedProvider, PromptConfig, RailsConfigData } from "./model.js";
import { olderNames } from "./older-names.js";
import { type Data, type DataObject, emptyObject, ordinary } from "./plain-data.js";
import { isOwnTask, outputParsers } from "./prompts.js";
import { readModels } from "./read-models.js";
import * as schemas from "./schema.js";
import { readSections } from "./sections/read-sections.js";
import { configSections, otherSections } from "./sections/table.js";
import type { Read, Shape } from "./shape.js";

export interface ReadData {
  /** Complete, with defaults also where something is wrong. */
  readonly data: RailsConfigData;
  /** True if the prompts that the flows need could be read. */
  readonly promptsRead: boolean;
  /** Wrong only if this engine is to run the configuration. */
  readonly forThisEngine: readonly { readonly path: Path; readonly message: string }[];
}

export function readData(merged: MergedData, colangFiles: readonly string[]): ReadData {
  const read: Read = (value, shape, path) =>
    shape(value ?? null, path, (at, message, key) => {
      if (key === undefined) merged.add(at, message);
      else merged.addOfChild(at, key, message);
    });
  const report: Report = (path, message) => merged.add(path, message);
  const top = merged.data;
  checkKeys(merged, top, [], [...schemas.readTopKeys, ...schemas.ignoredTopKeys]);

  const rails = readMapping(top["rails"], ["rails"], read);
  const railsKeys = [...schemas.ownRailsKeys, ...schemas.otherRailsKeys, ...olderNames];
  checkKeys(merged, rails, ["rails"], railsKeys);
  const config = readMapping(rails["config"], ["rails", "config"], read);
  checkKeys(
    merged,
    config,
    ["rails", "config"],
    [...Object.keys(configSections), ...otherSections],
  );
  const sections = readSections(config, read, report);

  const section = <T>(key: string, schema: Shape<T>) =>
    read(rails[key] ?? emptyObject(), schema, ["rails", key]);
  const input = section("input", schemas.inputSchema);
  const output = section("output", schemas.outputSchema);
  const names = {
    toolCall: merged.nameWritten(["rails", "tool_call"]),
    toolResult: merged.nameWritten(["rails", "tool_result"]),
  };
  const toolCall = section("tool_call", schemas.toolCallSchema);
  const toolResult = section("tool_result", schemas.toolResultSchema);
  const streaming = output?.streaming;
  const tracing = read(top["tracing"] ?? emptyObject(), schemas.tracingSchema, ["tracing"]);
  const metrics = read(top["metrics"] ?? emptyObject(), schemas.metricsSchema, ["metrics"]);
  const { models, caches } = readModels(top["models"], sections.jailbreak_detection, read, report);
  const allFlows = ["input", "output"].flatMap((name) => readFlows(rails[name]));
  const { prompts, promptsRead, forThisEngine } = readPrompts(
    top["prompts"],
    allFlows,
    read,
    report,
  );
  const colangVersion = read(top["colang_version"], schemas.colangVersionSchema, [
    "colang_version",
  ]);
  const promptingMode = read(top["prompting_mode"], schemas.promptingModeSchema, [
    "prompting_mode",
  ]);

  const lowestTemperature = read(top["lowest_temperature"], schemas.temperatureSchema, [
    "lowest_temperature",
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
    toolCall: {
      name: names.toolCall,
      flows: readFlows(rails["tool_call"]),
      parallel: toolCall?.parallel ?? false,
      perTool: readPerTool(rails["tool_call"]),
      providers: (toolCall?.providers ?? []).map(mounted),
    },
    toolResult: {
      name: names.toolResult,
      flows: readFlows(rails["tool_result"]),
      parallel: toolResult?.parallel ?? false,
      perTool: readPerTool(rails["tool_result"]),
      providers: (toolResult?.providers ?? []).map(mounted),
      schemas: readSchemas(toolResult?.schemas ?? emptyObject(), report),
      // Since NeMo 0.25, which has the newer name, a result need not name its tool.
      requireName: toolResult?.require_name ?? names.toolResult === "tool_input",
      requireAll: toolResult?.require_all ?? false,
      provenance: toolResult?.provenance ?? "optional",
    },
    hooksServer: readHooksServer(top["hooks_server"], read, report),
    config: sections,
    configKeys: Object.entries(config).flatMap(([key, section]) => [
      key,
      ...(isJsonObject(section) ? Object.keys(section).map((member) => `${key}.${member}`) : []),
    ]),
    caches,
    prompts,
    generalInstructions: generalInstructions(top["instructions"]),
    lowestTemperature: lowestTemperature ?? 0.001,
    railsExceptions:
      read(top["enable_rails_exceptions"], schemas.railsExceptionsSchema, [
        "enable_rails_exceptions",
      ]) ?? false,
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
  const flows = isJsonObject(section) ? section["flows"] : undefined;
  if (!Array.isArray(flows)) return [];
  return flows.every((flow) => typeof flow === "string") ? flows.map(readFlow) : [];
}

/** The flows by tool, also where something else is wrong. */
function readPerTool(section: Data | undefined): Readonly<Record<string, readonly Flow[]>> {
  const perTool = isJsonObject(section) ? section["per_tool"] : undefined;
  if (!isJsonObject(perTool)) return {};
  return Object.fromEntries(
    Object.entries(perTool).map(([tool, flows]) => [tool, readFlows({ flows })]),
  );
}

function mounted(provider: {
  readonly use: string;
  readonly with: DataObject | null;
}): MountedProvider {
  return {
    use: provider.use,
    with: provider.with === null ? undefined : ordinary(provider.with),
  };
}

function readSchemas(schemasByTool: DataObject, report: Report) {
  return Object.fromEntries(
    Object.entries(schemasByTool).map(([tool, schema]) => {
      if (typeof schema === "boolean") return [tool, schema] as const;
      if (isJsonObject(schema)) return [tool, ordinary(schema)] as const;
      report(
        ["rails", "tool_result", "schemas", tool],
        "must be a JSON Schema: a mapping, true or false",
      );
      return [tool, false] as const;
    }),
  );
}

/** Other members of `instructions` are for the other engine to judge. */
function generalInstructions(value: Data | undefined): string | undefined {
  const texts = (Array.isArray(value) ? value : []).flatMap((entry) => {
    const content =
      isJsonObject(entry) && entry["type"] === "general" ? entry["content"] : undefined;
    return typeof content === "string" ? [content] : [];
  });
  return texts.length === 0 ? undefined : texts.join("\n");
}

function readPrompts(value: Data | undefined, flows: readonly Flow[], read: Read, report: Report) {
  const entries = read(value, schemas.listSchema, ["prompts"]);
  const prompts: PromptConfig[] = [];
  const forThisEngine: { path: Path; message: string }[] = [];
  let promptsRead = entries !== undefined;
  for (const [index, entry] of ((entries ?? []) as readonly Data[]).entries()) {
    const path = ["prompts", index];
    const task = isJsonObject(entry) ? entry["task"] : undefined;
    // What the other engine's prompts may say is for it to judge.
    if (typeof task === "string" && task.trim() !== "" && !isOwnTask(task, flows)) continue;
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

import type { Path } from "@toolstile/config/yaml";
import { didYouMean, isJsonObject, quoted } from "@toolstile/core/provider";
import { readFlow } from "./flows.js";
import { readHooksServer } from "./hooks-server.js";
import type { MergedData } from "./merge.js";
import type { Flow, MountedProvider, PromptConfig, RailsConfigData } from "./model.js";
import { olderNames } from "./older-names.js";
import { type Data, type DataObject, emptyObject } from "./plain-data.js";
import { isOwnTask, outputParsers } from "./prompts.js";
import { readModels } from "./read-models.js";
import * as schemas from "./schema.js";
import { configSections, otherSections } from "./sections/table.js";
import { items, mapping, membersOf, orElse, type Report } from "./shape.js";

export interface ReadData {
  /** Complete, with defaults also where something is wrong. */
  readonly data: RailsConfigData;
  /** True if the prompts that the flows need could be read. */
  readonly promptsRead: boolean;
  /** Wrong only if this engine is to run the configuration. */
  readonly forThisEngine: readonly { readonly path: Path; readonly message: string }[];
}

export function readData(merged: MergedData, colangFiles: readonly string[]): ReadData {
  const report: Report = (path, message, key) => merged.add(path, message, key);
  const top = merged.data;
  checkKeys(merged, top, [], [...schemas.readTopKeys, ...schemas.ignoredTopKeys]);

  const rails = readMapping(top["rails"], ["rails"], report);
  const railsKeys = [...schemas.ownRailsKeys, ...schemas.otherRailsKeys, ...olderNames];
  checkKeys(merged, rails, ["rails"], railsKeys);
  const path = ["rails", "config"];
  const config = readMapping(rails["config"], path, report);
  checkKeys(merged, config, path, [...Object.keys(configSections), ...otherSections]);
  const sections = membersOf(configSections, config, path, report, emptyObject());

  const read = membersOf(schemas.railsShapes, rails, ["rails"], report, null);
  const { input, output, tool_call: toolCall, tool_result: toolResult } = read;
  const names = {
    toolCall: merged.nameWritten(["rails", "tool_call"]),
    toolResult: merged.nameWritten(["rails", "tool_result"]),
  };
  const settings = membersOf(schemas.topShapes, top, [], report, null);
  const { models, caches } = readModels(top["models"], sections.jailbreak_detection, report);
  const allFlows = ["input", "output"].flatMap((name) => readFlows(rails[name]));
  const { prompts, promptsRead, forThisEngine } = readPrompts(top["prompts"], allFlows, report);

  const data: RailsConfigData = {
    models,
    input: {
      flows: readFlows(rails["input"]),
      parallel: input.parallel,
      speculativeGeneration: input.speculative_generation,
    },
    output: {
      flows: readFlows(rails["output"]),
      parallel: output.parallel,
      streaming: {
        enabled: output.streaming.enabled,
        chunkSize: output.streaming.chunk_size,
        contextSize: output.streaming.context_size,
        streamFirst: output.streaming.stream_first,
      },
    },
    toolCall: {
      name: names.toolCall,
      flows: readFlows(rails["tool_call"]),
      parallel: toolCall.parallel,
      perTool: readPerTool(rails["tool_call"]),
      providers: toolCall.providers.map(mounted),
    },
    toolResult: {
      name: names.toolResult,
      flows: readFlows(rails["tool_result"]),
      parallel: toolResult.parallel,
      perTool: readPerTool(rails["tool_result"]),
      providers: toolResult.providers.map(mounted),
      schemas: toolResult.schemas,
      // Since NeMo 0.25, which has the newer name, a result need not name its tool.
      requireName: toolResult.require_name ?? names.toolResult === "tool_input",
      requireAll: toolResult.require_all,
      provenance: toolResult.provenance,
    },
    hooksServer: readHooksServer(top["hooks_server"], report),
    config: sections,
    configKeys: Object.entries(config).flatMap(([key, section]) => [
      key,
      ...(isJsonObject(section) ? Object.keys(section).map((member) => `${key}.${member}`) : []),
    ]),
    caches,
    prompts,
    generalInstructions: generalInstructions(top["instructions"]),
    lowestTemperature: settings.lowest_temperature,
    railsExceptions: settings.enable_rails_exceptions,
    promptingMode: settings.prompting_mode,
    tracing: {
      enabled: settings.tracing.enabled,
      enableContentCapture: settings.tracing.enable_content_capture,
    },
    metrics: settings.metrics,
    colangVersion: settings.colang_version,
    railsKeys: Object.keys(rails),
    colangFiles,
    importPaths: settings.import_paths,
  };
  return { data, promptsRead, forThisEngine };
}

function readMapping(value: Data | undefined, path: Path, report: Report): DataObject {
  return mapping(value ?? emptyObject(), path, report) ?? emptyObject();
}

function checkKeys(merged: MergedData, data: object, path: Path, known: readonly string[]): void {
  for (const key of Object.keys(data)) {
    if (known.includes(key)) continue;
    const hint = didYouMean(key, known);
    const where = path.length === 0 ? "the top level " : "";
    merged.add(path, `${where}has no key ${quoted(key)}.${hint}`, key);
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

function mounted({ use, with: options }: schemas.Provider): MountedProvider {
  return { use, with: options ?? undefined };
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

function readPrompts(value: Data | undefined, flows: readonly Flow[], report: Report) {
  const entries = orElse(items, [])(value, ["prompts"], report);
  const prompts: PromptConfig[] = [];
  const forThisEngine: { path: Path; message: string }[] = [];
  let promptsRead = entries !== undefined;
  for (const [index, entry] of (entries ?? []).entries()) {
    const path = ["prompts", index];
    const task = isJsonObject(entry) ? entry["task"] : undefined;
    // What the other engine's prompts may say is for it to judge.
    if (typeof task === "string" && task.trim() !== "" && !isOwnTask(task, flows)) continue;
    const prompt = schemas.promptSchema(entry, path, report);
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

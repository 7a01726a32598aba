import { dirname, resolve } from "node:path";
import { type Path, pathText, readText } from "@toolstile/config/yaml";
import { deepFreeze, isJsonObject, quoted } from "@toolstile/core/provider";
import { wrongConfig } from "../errors.js";
import { blankSections } from "./blank-sections.js";
import { checkFlowNames, checkFlowNeeds } from "./check-flows.js";
import { checkHooks } from "./check-hooks.js";
import { type ConfigFile, findConfigFiles } from "./config-files.js";
import { type FlowList, flowLists, placedFlows } from "./flow-lists.js";
import { definedFlows } from "./flows.js";
import { MergedData } from "./merge.js";
import type { Flow, RailsConfigData } from "./model.js";
import { Problems } from "./problems.js";
import { readData } from "./read-data.js";
import { ignoredTopKeys } from "./schema.js";
import type { Report } from "./shape.js";
import { objectSource, type SourceData, yamlSource } from "./sources.js";
import { unsupportedBecause } from "./unsupported.js";

interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** A configuration that was read and found right. */
export interface LoadedConfig {
  /** Frozen. */
  readonly data: RailsConfigData;
  /** The base of relative names in it; absent for what a program holds. */
  readonly folder: string | undefined;
  /** The reason for which this engine cannot run it; absent if it can. */
  readonly unsupported: string | undefined;
}

/** The content that a program holds in place of files. */
export interface ConfigContent {
  readonly yaml?: string | undefined;
  readonly config?: object | undefined;
  readonly colang?: string | undefined;
}

/** Checks that need the modules of the engine. */
export interface EngineChecks {
  /** Says what is wrong with a flow of this engine that has the prompt and the model it needs, if anything is. */
  readonly flowFault: (
    list: FlowList,
    flow: Flow,
    data: RailsConfigData,
  ) => Promise<string | undefined>;
  /** Reports the patterns and expressions that cannot be run. */
  readonly checkRules: (data: RailsConfigData, report: Report) => Promise<void>;
}

/**
 * Reads a folder with all that is below it, or one YAML file.
 *
 * @throws ToolstileError `ERR_CONFIG`
 */
export async function loadPath(path: string, checks: EngineChecks): Promise<LoadedConfig> {
  const files = await findConfigFiles(path).catch(() => undefined);
  if (files === undefined) {
    throw wrongConfig(
      `${quoted(path)} is neither a folder that can be read nor a .yml or .yaml file.`,
    );
  }
  if (files.yaml.length === 0 && files.unreadable.length === 0) {
    throw wrongConfig(`${quoted(path)} holds no .yml or .yaml file.`);
  }
  const problems = new Problems();
  for (const name of files.unreadable) problems.addAt(name, "cannot be read");
  const sources: SourceData[] = [];
  for (const { name, text } of await texts(files.yaml, problems)) {
    const source = yamlSource(name, text, problems);
    if (source !== undefined) sources.push(source);
  }
  const colang = await texts(files.colang, problems);
  const whole = resolve(path);
  const folder = /\.ya?ml$/i.test(path) ? dirname(whole) : whole;
  return { ...(await load(sources, colang, problems, checks)), folder };
}

/** @throws ToolstileError `ERR_CONFIG` */
export async function loadContent(
  { yaml, config, colang = "" }: ConfigContent,
  checks: EngineChecks,
): Promise<LoadedConfig> {
  const problems = new Problems();
  const sources = [
    config === undefined ? undefined : objectSource("<config>", config, problems),
    yaml === undefined ? undefined : yamlSource("<yaml>", yaml, problems),
  ].filter((source) => source !== undefined);
  const files = colang.trim() === "" ? [] : [{ name: "<colang>", text: colang }];
  return { ...(await load(sources, files, problems, checks)), folder: undefined };
}

async function load(
  sources: readonly SourceData[],
  colang: readonly TextFile[],
  problems: Problems,
  checks: EngineChecks,
): Promise<Pick<LoadedConfig, "data" | "unsupported">> {
  for (const source of sources) {
    for (const path of blankSections(source)) {
      problems.add(source, path, "is blank: fill it in, or leave it out");
    }
  }
  const merged = new MergedData(sources, ignoredTopKeys, problems);
  // Colang's flows can be written as YAML, too.
  const withFlows = sources.filter(
    ({ data: { flows } }) => Array.isArray(flows) && flows.length > 0,
  );
  const colangFiles = [...withFlows.map(({ file }) => file), ...colang.map(({ name }) => name)];
  const { data, promptsRead, forThisEngine } = readData(merged, colangFiles.sort());

  const report = merged.add.bind(merged);
  const defined = new Set(colang.flatMap(({ text }) => definedFlows(text)));
  for (const flow of Array.isArray(merged.data["flows"]) ? merged.data["flows"] : []) {
    if (isJsonObject(flow) && typeof flow["id"] === "string") defined.add(flow["id"]);
  }
  const types = new Set(data.models.map(({ type }) => type));
  const entries = merged.data["models"];
  const modelsRead = !Array.isArray(entries) || entries.length === data.models.length;
  const told = new Set<string>();
  const reportFlow: Report = (path, message) => {
    told.add(pathText(path));
    report(path, message);
  };
  checkFlowNames(flowLists(data), defined, modelsRead ? types : undefined, reportFlow);
  const isTold = (path: Path): boolean => told.has(pathText(path));
  // A flow that is wrong in any case does not make the configuration another engine's.
  const unsupported = unsupportedBecause(data, isTold);
  if (unsupported === undefined) {
    await checks.checkRules(data, report);
    checkHooks(data, report);
    for (const { path, message } of forThisEngine) report(path, message);
    if (promptsRead) {
      checkFlowNeeds(data, isTold, reportFlow);
      // What is told of models and prompts is not told of their flows once more.
      const isReady = modelsRead && forThisEngine.length === 0;
      for (const { list, flow, path } of isReady ? placedFlows(data) : []) {
        const fault = isTold(path) ? undefined : await checks.flowFault(list, flow, data);
        if (fault !== undefined) report(path, fault);
      }
    }
  }
  problems.throwIfFound();
  return { data: deepFreeze(data), unsupported };
}

async function texts(
  files: readonly ConfigFile[],
  problems: Problems,
): Promise<readonly TextFile[]> {
  const read: TextFile[] = [];
  for (const { name, path } of files) {
    const file = await readText(path);
    if ("fault" in file) problems.addAt(name, file.fault);
    else read.push({ name, text: file.text });
  }
  return read;
}

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { checkOptions, quoted, ToolstileError } from "@toolstile/core";
import { blankSections } from "./blank-sections.js";
import { checkFlowNames, checkFlowNeeds, flowsOf } from "./check-flows.js";
import { findConfigFiles } from "./config-files.js";
import { definedFlows } from "./flows.js";
import { MergedData } from "./merge.js";
import type { RailsConfigData } from "./model.js";
import { isDataObject } from "./plain-data.js";
import { Problems } from "./problems.js";
import { readData } from "./read-data.js";
import { ignoredTopKeys } from "./schema.js";
import { unsupportedBecause } from "./unsupported.js";
import { readObject, readYaml, type SourceData } from "./yaml-source.js";

interface ColangFile {
  readonly name: string;
  readonly text: string;
}

/**
 * A NeMo Guardrails configuration, read and checked, and frozen with every default filled in.
 *
 * What is wrong in it is one `ERR_CONFIG` with a line for each problem: file,
 * path, what is wanted, position. Stricter than upstream: an unknown key, a
 * misspelt flow, a repeated model type and two files that contradict each other
 * are errors, where upstream drops or overwrites. A configuration that is right
 * but meant for the other engine loads: see `unsupportedReason`. Environment
 * variables are not read here.
 */
export class RailsConfig {
  readonly data: RailsConfigData;
  /** Where the names of packages and files in it are resolved from; absent for what a program holds. */
  readonly folder: string | undefined;

  private constructor(data: RailsConfigData, folder: string | undefined) {
    this.data = data;
    this.folder = folder;
  }

  /**
   * Read a folder, or one `.yml` or `.yaml` file.
   *
   * A folder is read with all that is below it, in the order of the names.
   *
   * @throws ToolstileError `ERR_CONFIG`; `ERR_INVALID_OPTION` for what is no path.
   */
  static async fromPath(path: string): Promise<RailsConfig> {
    if (typeof path !== "string" || path === "") {
      throw invalid("RailsConfig.fromPath takes the path of a folder or a file.");
    }
    const files = await findConfigFiles(path).catch(() => undefined);
    if (files === undefined) {
      throw new ToolstileError(
        "ERR_CONFIG",
        `${quoted(path)} is neither a folder that can be read nor a .yml or .yaml file.`,
      );
    }
    if (files.yaml.length === 0 && files.unreadable.length === 0) {
      throw new ToolstileError("ERR_CONFIG", `${quoted(path)} holds no .yml or .yaml file.`);
    }
    const problems = new Problems();
    for (const name of files.unreadable) problems.addAt(name, "cannot be read");
    const sources: SourceData[] = [];
    for (const file of files.yaml) {
      const text = await readText(file.name, file.path, problems);
      const source = text === undefined ? undefined : readYaml(file.name, text, problems);
      if (source !== undefined) sources.push(source);
    }
    const colang: ColangFile[] = [];
    for (const file of files.colang) {
      const text = await readText(file.name, file.path, problems);
      if (text !== undefined) colang.push({ name: file.name, text });
    }
    const whole = resolve(path);
    const folder = /\.ya?ml$/i.test(path) ? dirname(whole) : whole;
    return new RailsConfig(load(sources, colang, problems), folder);
  }

  /**
   * Read what a program holds: first the object, then the YAML, merged like two files.
   *
   * @throws ToolstileError `ERR_CONFIG`, with `<config>` or `<yaml>` for the
   *   file's name; `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for other content.
   */
  static fromContent(content: {
    readonly yaml?: string | undefined;
    readonly config?: object | undefined;
    readonly colang?: string | undefined;
  }): RailsConfig {
    checkOptions("RailsConfig.fromContent", content, ["yaml", "config", "colang"]);
    for (const key of ["yaml", "colang"] as const) {
      const text: unknown = content[key];
      if (text !== undefined && typeof text !== "string") {
        throw invalid(`The option '${key}' of RailsConfig.fromContent is text.`);
      }
    }
    const problems = new Problems();
    const sources = [
      content.config === undefined ? undefined : readObject("<config>", content.config, problems),
      content.yaml === undefined ? undefined : readYaml("<yaml>", content.yaml, problems),
    ].filter((source) => source !== undefined);
    const text = content.colang ?? "";
    const colang = text.trim() === "" ? [] : [{ name: "<colang>", text }];
    return new RailsConfig(load(sources, colang, problems), undefined);
  }
}

/**
 * Why a configuration that is right is not for this engine, or nothing if it is.
 *
 * The first of NeMo's conditions that fails, in its order and words.
 */
export function unsupportedReason(config: RailsConfig): string | undefined {
  return unsupportedBecause(config.data);
}

function load(
  sources: readonly SourceData[],
  colang: readonly ColangFile[],
  problems: Problems,
): RailsConfigData {
  for (const source of sources) {
    for (const path of blankSections(source)) {
      problems.add(source, path, "is blank: fill it in, or leave it out");
    }
  }
  const merged = new MergedData(sources, ignoredTopKeys, problems);
  // Colang's flows can be written as YAML, too.
  const flowLists = sources.filter(({ data }) => isFilledList(data["flows"]));
  const colangFiles = [...flowLists.map(({ file }) => file), ...colang.map(({ name }) => name)];
  const { data, promptsRead, forThisEngine } = readData(merged, colangFiles.sort());

  const report = merged.add.bind(merged);
  const defined = new Set(colang.flatMap(({ text }) => definedFlows(text)));
  for (const flow of Array.isArray(merged.data["flows"]) ? merged.data["flows"] : []) {
    if (isDataObject(flow) && typeof flow["id"] === "string") defined.add(flow["id"]);
  }
  const types = new Set(data.models.map(({ type }) => type));
  const entries = merged.data["models"];
  const modelsRead = !Array.isArray(entries) || entries.length === data.models.length;
  checkFlowNames(flowsOf(data), defined, modelsRead ? types : undefined, report);
  if (unsupportedBecause(data) === undefined) {
    for (const { path, message } of forThisEngine) report(path, message);
    if (promptsRead) checkFlowNeeds(data, report);
  }
  problems.throwIfFound();
  return deepFreeze(data);
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

async function readText(
  name: string,
  path: string,
  problems: Problems,
): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    problems.addAt(name, error instanceof TypeError ? "is not UTF-8" : "cannot be read");
    return undefined;
  }
}

function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== "object") return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

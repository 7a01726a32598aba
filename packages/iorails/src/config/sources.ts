import { plainJson, readYaml } from "@toolstile/config/yaml";
import { isJsonObject } from "@toolstile/core/provider";
import { type Data, type DataObject, emptyObject } from "./plain-data.js";
import { type Problems, type Source, sentence } from "./problems.js";

/** The content of one source, not checked yet. */
export interface SourceData extends Source {
  readonly data: DataObject;
}

/** Reads the text of a file. What is wrong is reported to `problems`, and nothing returned. */
export function yamlSource(file: string, text: string, problems: Problems): SourceData | undefined {
  const { data, faults, locate } = readYaml(text);
  for (const { path, message, position } of faults) {
    problems.addAt(file, sentence(path, message), position);
  }
  return data === undefined ? undefined : sourceData({ file, locate }, data as Data, problems);
}

/** Reads what a caller gives as a value in place of a file. */
export function objectSource(
  file: string,
  value: unknown,
  problems: Problems,
): SourceData | undefined {
  const source: Source = { file, locate: () => undefined };
  const data = plainJson(value, (path, problem) => problems.add(source, path, problem));
  return sourceData(source, data as Data, problems);
}

function sourceData(source: Source, data: Data, problems: Problems): SourceData | undefined {
  // An empty file says nothing.
  if (data === null) return { ...source, data: emptyObject() };
  if (isJsonObject(data)) return { ...source, data };
  problems.addAt(source.file, "must hold keys at its top level");
  return undefined;
}

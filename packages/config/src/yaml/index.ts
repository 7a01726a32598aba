export { type Locate, type Path, type Position, pathText } from "./path.js";
export { plainJson } from "./plain-json.js";
export { readYaml, type YamlFault, type YamlReading } from "./read-yaml.js";
export { type FileText, readText } from "./text-file.js";

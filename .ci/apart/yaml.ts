// The reader of YAML, for files of others.

export { parseDocument } from "yaml";

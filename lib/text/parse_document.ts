// Imports `yaml` statically: in a bundle of several files, an `import()` of a CommonJS package has only a default
// export. A static import has all names everywhere.

export { parseDocument } from "yaml";

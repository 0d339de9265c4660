// An `import()` of a CommonJS package has only a default export in a bundle of several files; a static import has
// all names everywhere.

export { parseDocument } from "yaml";

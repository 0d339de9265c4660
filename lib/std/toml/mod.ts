// @ts-types="./mod.d.ts"
export { parse } from "npm:deno-std@1.2.0/toml/parse.js";

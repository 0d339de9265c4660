// @ts-types="./mod.d.ts"
export { stringify } from "npm:deno-std@1.2.0/toml/stringify.js";

// @ts-types="./mod.d.ts"
export { assert, assertEquals, assertThrows } from "npm:deno-std@1.2.0/assert/mod.js";

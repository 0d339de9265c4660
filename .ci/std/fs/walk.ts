// @ts-types="./walk.d.ts"
export { walkSync } from "npm:deno-std@1.2.0/fs/walk.js";

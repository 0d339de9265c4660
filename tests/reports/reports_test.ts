/** The inputs of public reports, on Deno; `tests/npm_test.ts` runs them with the npm package. */

import { assertEquals } from "@std/assert";
import { failureOf, REPORTS } from "./inputs.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const AGENTX = `${Deno.execPath()} run -A --quiet --config ${ROOT}deno.json ${ROOT}cli.ts`;

for (const report of REPORTS) {
  Deno.test(`agentx does what is right in the report ${report}`, async () => {
    assertEquals(await failureOf(report, AGENTX), "");
  });
}

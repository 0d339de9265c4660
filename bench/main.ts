/**
 * `deno task bench`: runs every benchmark, then says for each target whether it was met.
 *
 * @module
 */

import { type Figure, REPORT_VARIABLE } from "./target.ts";

const report = Deno.makeTempFileSync({ prefix: "agentx-bench-", suffix: ".jsonl" });
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["bench", "-A", "--quiet", new URL(".", import.meta.url).pathname],
  env: { [REPORT_VARIABLE]: report },
  stdout: "inherit",
  stderr: "inherit",
}).output();

const figures: Figure[] = Deno.readTextFileSync(report).split("\n").filter(Boolean)
  .map((line) => JSON.parse(line));
Deno.removeSync(report);

const rows = figures.map(({ name, figure, limit }) => {
  const [isMet, sign, bound] = "atMost" in limit
    ? [figure <= limit.atMost, "<=", limit.atMost]
    : [figure >= limit.atLeast, ">=", limit.atLeast];
  return { name, figure: figure.toFixed(2), limit: `${sign} ${bound}`, isMet };
});
const widths = (["name", "figure", "limit"] as const).map((key) =>
  Math.max(...rows.map((row) => row[key].length))
);
console.log("\ntargets (ratios to the peer in the same run)");
for (const { name, figure, limit, isMet } of rows) {
  const cells = [name.padEnd(widths[0]), figure.padStart(widths[1]), limit.padEnd(widths[2])];
  console.log(`${cells.join("  ")}  ${isMet ? "ok" : "MISS"}`);
}
Deno.exit(code !== 0 || rows.length === 0 || rows.some(({ isMet }) => !isMet) ? 1 : 0);

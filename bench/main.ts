// `deno task bench`: the comparisons of `deno bench`, reports, and then for each target whether it was met.

import { REPORTS, TARGETS } from "./target.ts";

const FOLDER = new URL(".", import.meta.url).pathname;

const { success } = await new Deno.Command(Deno.execPath(), {
  args: ["bench", "-A", "--quiet", FOLDER],
  stdout: "inherit",
  stderr: "inherit",
}).output();

const files = Array.from(Deno.readDirSync(FOLDER), ({ name }) => name);
for (const name of files.filter((name) => name.endsWith("_bench.ts")).sort()) {
  await import(`./${name}`);
}

for (const report of REPORTS) console.log(`\n${await report()}`);

console.log("\ntargets (ratios to the peer in the same run, where nothing else is said)");
const nameWidth = Math.max(...TARGETS.map(({ name }) => name.length));
let missed = success ? 0 : 1;
for (const { name, limit, measure } of TARGETS) {
  const figure = await measure();
  const [isMet, bound] = "atMost" in limit
    ? [figure <= limit.atMost, `<= ${limit.atMost}`]
    : [figure >= limit.atLeast, `>= ${limit.atLeast}`];
  if (!isMet) missed++;
  const cells = [name.padEnd(nameWidth), figure.toFixed(2).padStart(7), bound.padEnd(7)];
  console.log(`${cells.join("  ")}  ${isMet ? "ok" : "MISS"}`);
}
Deno.exit(missed > 0 ? 1 : 0);

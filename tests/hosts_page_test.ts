/**
 * docs/hosts.md says of each host what its file of data says.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { EDITOR } from "../lib/config/runnable.ts";
import { whyNotHeld } from "../lib/agents/working_form.ts";
import { HOST_NAMES, type HostName, HOSTS } from "../lib/hosts/hosts.ts";
import { MAX_ANSWER } from "../lib/hosts/host.ts";
import schema from "../lib/config/config.schema.json" with { type: "json" };
import { pageText } from "./readme_blocks.ts";
import { formatOf } from "./transcripts/format_of.ts";

const HEAD =
  "| host | tried | hears hooks at | at most | refuses tools | answers | ACP | recording |";

function row(name: HostName): string {
  const { title, tried, hooks, preset, acp } = HOSTS[name];
  const { hears, unit, guard } = hooks;
  const cells = [
    title,
    tried?.version ?? "its documentation",
    hears.join(", ") || "-",
    hears.length === 0 ? "-" : `${MAX_ANSWER.toLocaleString("en-US")} ${unit}`,
    guard === undefined ? "-" : "yes",
    preset || name === EDITOR ? "yes" : "-",
    acp === undefined ? "-" : `\`${acp.command.join(" ")}\``,
    formatOf(name) ?? "-",
  ];
  return `| ${cells.join(" | ")} |`;
}

Deno.test("docs/hosts.md: its table of hosts is what the data say", () => {
  const lines = pageText("docs/hosts.md").split("\n");
  const begin = lines.indexOf(HEAD);
  const table = lines.slice(begin + 2, begin + 2 + HOST_NAMES.length);
  assertEquals(table, HOST_NAMES.map(row));
  assertEquals(lines[begin + 2 + HOST_NAMES.length], "");
});

Deno.test("README: its table of agents is what the data say", () => {
  const lines = pageText("README.md").split("\n");
  const begin = lines.indexOf(
    "| agent | answers | works on steps, limited by | hooks | transcript |",
  );
  const rows = HOST_NAMES.map((name) => {
    const { title, preset, acp, hooks, ownSandbox } = HOSTS[name];
    const hears = hooks.hears.length > 0 || hooks.guard !== undefined;
    // A host with a sandbox of its own always works in that of agentx.
    const holds = [whyNotHeld([name]) || ownSandbox ? [] : "guard", acp ? "sandbox" : []].flat();
    const cells = [
      preset || name === EDITOR ? "yes" : acp ? "ACP" : "-",
      ...[holds.join(" or ") || "-", hears ? "yes" : "-", formatOf(name) ? "read" : "-"],
    ];
    return `| ${[title, ...cells].join(" | ")} |`;
  });
  assertEquals(lines.slice(begin + 2, begin + 3 + rows.length), [...rows, ""]);
});

Deno.test("the data of hosts name the versions that .ci/hosts.txt installs last", () => {
  const pinned = new Map(
    Deno.readTextFileSync(new URL("../.ci/hosts.txt", import.meta.url)).trim().split("\n")
      .map((line) => /^\S+ (\S+)@([^@\s]+)/.exec(line)!).map((
        [, name, version],
      ) => [name, version]),
  );
  const tried = HOST_NAMES.flatMap((name) =>
    [HOSTS[name].tried, HOSTS[name].acp?.adapter].filter((each) => each !== undefined)
  );
  assertEquals(
    new Map(tried.map(({ packageName, version }) => [packageName, version])),
    pinned.set("cline", HOSTS.cline.tried!.version), // leaves a process behind: not run in CI
  );
});

Deno.test("the data of hosts fit the presets of config.json", () => {
  const { pattern } = schema.properties.agents.additionalProperties.properties.preset;
  // The preset of VS Code is a model of the editor, and no program.
  const presets = HOST_NAMES.filter((name) => name !== EDITOR && new RegExp(pattern).test(name));
  assertEquals(presets, HOST_NAMES.filter((name) => HOSTS[name].preset !== undefined));
});

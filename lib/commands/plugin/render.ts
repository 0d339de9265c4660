// Shows a package: its parts, the permissions of its commands, and its problems. Pure.

import { shellLine } from "../../base/quote.ts";
import type { PluginPermissions } from "../../plugins/extension.ts";
import type { Plugin, PluginPlan } from "../../plugins/plugin_manager.ts";
import { terminalBlock, terminalLine, wholeBlock } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";

export function renderPlugin(plugin: Plugin | PluginPlan, view: RenderView): string {
  const { style, width } = view;
  const { name, version, description, hash } = plugin;
  const state = "isAgreed" in plugin
    ? plugin.isAgreed ? style.green("agreed") : style.yellow("not agreed to: agentx trust")
    : plugin.isUpdate
    ? "replaces the one that is here"
    : "new";
  const title = [name || "(no name)", ...version === null ? [] : [version]].join(" ");
  return [
    `  ${style.bold(terminalLine(title))}  ${state}`,
    ...description === "" ? [] : terminalBlock(description, { indent: "    ", width }),
    ...packageParts(plugin, view),
    ...terminalBlock(`SHA-256: ${hash}`, { indent: "    ", width }),
  ].join("\n");
}

/** Lines about a package: the parts that hosts load, its programs and files, and its problems. */
export function packageParts(plugin: Plugin | PluginPlan, { style, width }: RenderView): string[] {
  const { skills, servers, commands, hosts, problems } = plugin;
  const line = (label: string, text: string) =>
    wholeBlock(`${label}: ${terminalLine(text)}`, { indent: "    ", width });
  const writes = "writes" in plugin ? plugin.writes : [];
  return [
    ...skills.flatMap(({ name, tokens: { listed, loaded, references } }) =>
      line(
        "skill",
        `${name} (${listed} tokens in each session, ${loaded} once used, ` +
          `${references} in files that it names)`,
      )
    ),
    ...servers.flatMap(({ name, what }) => line("MCP server", `${name}, by hosts: ${what}`)),
    ...Object.entries(commands).flatMap(([name, { summary, run, permissions }]) => [
      ...line("command", `${name} - ${summary}`),
      ...line("  runs", shellLine(run)),
      ...line("  may", permitted(permissions)),
    ]),
    ...writes.flatMap(({ path, action }) =>
      line("file", action === "keep" ? `${path} stays as it is` : `${action} ${path}`)
    ),
    ...skills.length + servers.length === 0
      ? []
      : Object.entries(hosts).flatMap(([host, what]) => line(host, what)),
    ...problems.flatMap(({ level, path, why }) => {
      const [first, ...rest] = line(level, `${path} ${why}`);
      return [first.replace(level, style[level === "error" ? "red" : "yellow"]), ...rest];
    }),
  ];
}

function permitted({ read, write, network, env }: PluginPermissions): string {
  const list = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what} ${names.join(", ")}`];
  return [
    ...list("read", read),
    ...list("write", write),
    ...Array.isArray(network) ? list("reach", network) : network ? ["reach the network"] : [],
    ...list("see the variables", env),
  ].join("; ") || "read its package only";
}

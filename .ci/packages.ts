// Builds the packages that come with agentx, into a folder: those of `.ci/plugins/`, each with its scripts bundled, and
// `agentx-core`, the roles, templates and workflows that `agentx init` and `agentx template` know.

import { deno, manifest, root, tidyBundles } from "./bundle.ts";

const OWN = "dev.agentx";

/** By folder of `agentx-core`, where its files come from. */
const CORE = {
  roles: ".github/agents",
  templates: ".agentx/templates",
  workflows: ".agentx/workflows",
};

/** @returns the folders of the packages */
export async function buildPackages(target: string): Promise<string[]> {
  const built: string[] = [];
  for (const { name } of Deno.readDirSync(`${root}.ci/plugins`)) {
    const [from, to] = [`${root}.ci/plugins/${name}`, `${target}/${name}`];
    Deno.mkdirSync(`${to}/${OWN}`, { recursive: true });
    Deno.copyFileSync(`${from}/plugin.json`, `${to}/plugin.json`);
    for (const { name } of Deno.readDirSync(from)) {
      const script = /^(.*)\.ts$/.exec(name)?.[1];
      if (script === undefined) continue;
      const out = `${to}/${OWN}/${script}.js`;
      await deno("bundle", "--quiet", "--platform", "deno", "-o", out, `${from}/${name}`);
    }
    tidyBundles(to);
    built.push(to);
  }
  return [...built, core(`${target}/agentx-core`)];
}

function core(to: string): string {
  for (const [name, from] of Object.entries(CORE)) {
    Deno.mkdirSync(`${to}/${OWN}/${name}`, { recursive: true });
    for (const file of Deno.readDirSync(root + from)) {
      Deno.copyFileSync(`${root}${from}/${file.name}`, `${to}/${OWN}/${name}/${file.name}`);
    }
  }
  const content = {
    $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    name: "agentx-core",
    version: manifest.version,
    description: "The roles, templates and workflows that come with agentx",
    license: manifest.license,
  };
  Deno.writeTextFileSync(`${to}/plugin.json`, JSON.stringify(content, null, 2) + "\n");
  return to;
}

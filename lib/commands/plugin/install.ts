import { EXIT_CODES } from "../../base/errors.ts";
import { defineCommand } from "../../cli/command.ts";
import { agrees, refuseAgents, whyNobodyIsAsked } from "../../cli/person.ts";
import { note } from "../../cli/note.ts";
import { argument, flag, word } from "../../cli/spec.ts";
import { rulingOn } from "../../who/surface.ts";
import { managerOf } from "./input.ts";
import { renderPlugin } from "./render.ts";

export const command = defineCommand({
  kind: "plugin.install",
  examples: [
    "agentx plugin install ../convert-docs --dry-run",
    "agentx plugin install convert-docs.tgz",
    "agentx plugin install https://example.com/plugins/convert-docs.git",
  ],
  input: {
    dryRun: flag("Check the package and show what it would load, run and write; install nothing"),
    source: argument(word, "A folder, a tar archive, or the address of a git repository", {
      placeholder: "PATH|ARCHIVE|GIT-URL",
    }),
  },
  positional: ["source"],
  async run(context, { source, dryRun }) {
    const { io, signal } = context;
    const plugins = await managerOf(context);
    if (dryRun) {
      const plan = await plugins.install(source, { isDry: true, signal });
      return { output: plan, exitCode: plan.problems.length > 0 ? EXIT_CODES.INVALID_CONFIG : 0 };
    }
    refuseAgents(io, "install a package", { path: source });
    const why = whyNobodyIsAsked(io);
    const plan = await plugins.install(source, {
      signal,
      confirm: why !== undefined ? undefined : async (plan) =>
        await agrees(
          io,
          "Install it, and let its commands run?",
          (view) => renderPlugin(plan, view),
          rulingOn("trust", io),
        ),
    });
    if (why !== undefined) note(io, `${why}: nothing of it runs before: agentx trust`);
    for (const { level, path, why } of plan.problems) note(io, `${level}: ${path} ${why}`);
    return { output: plan, exitCode: plan.isInstalled ? 0 : EXIT_CODES.UNTRUSTED };
  },
  render(plan, view) {
    const { name, path, isInstalled, problems } = plan;
    if (isInstalled) return `  ${view.style.green("Installed")} ${name} in ${path}`;
    const ending = problems.length > 0
      ? "It does not keep to Agent Plugins 1.0.0"
      : "Nothing was written";
    return `${renderPlugin(plan, view)}\n\n  ${ending}`;
  },
});

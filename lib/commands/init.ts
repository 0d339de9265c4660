import { shellLine } from "../base/quote.ts";
import { type Context, defineCommand } from "../cli/command.ts";
import type { Io } from "../cli/io.ts";
import { note } from "../cli/note.ts";
import { agentSession, whyNobodyIsAsked } from "../cli/person.ts";
import { flag, oneOf, optional } from "../cli/spec.ts";
import { trackedState } from "../git/tracked.ts";
import { type HostOutcome, notesOn, type Scope, setupScope } from "../setup/setup.ts";
import { sys } from "../sys/mod.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import { agreedOffer, changed, isEmpty, type Offer, proposed } from "./init/offer.ts";
import { isInGit, planWorkspace, type WorkspacePlan, writePlan } from "../workspace/init.ts";

/** The result of an init, or of its dry run. */
interface InitOutput {
  root: string;
  dryRun: boolean;
  files: { path: string; action: string }[];
  /** Files that git tracks, although they belong to one machine. */
  tracked: string[];
  /** Roles and commands of workflows of the repository that nobody has agreed to yet. */
  untrusted: string[];
  /** The changes to the user's own configuration and coding agents. */
  hosts: (Pick<HostOutcome, "host" | "files"> & { error: string | null })[];
  /** Whether the settings name an agent for any role. */
  isAnswered: boolean;
  /** The lines of a command that commits the written files and nothing else; empty outside of git. */
  commit: string[];
  /** Whether the user has seen the list of files before. */
  isAsked: boolean;
}

export const command = defineCommand({
  kind: "init",
  examples: [
    "agentx init",
    "agentx init --profile full",
    "agentx init --yes",
    "agentx init --dry-run",
  ],
  input: {
    yes: flag("Do everything that init proposes at a terminal; ask nothing"),
    here: flag("Make the workspace in this folder, not at the top of the repository"),
    profile: optional(
      oneOf(["minimal", "full"]),
      "full adds a file for each role, in .github/agents/; minimal by default",
    ),
    dryRun: flag("Only show what would be written"),
  },
  conflicts: { yes: ["dryRun"] },
  async run(context, { yes, here, profile, dryRun }) {
    const { io } = context;
    const folder = context.root ?? (here ? sys.cwd() : undefined);
    const plan = planWorkspace(folder, { agents: profile === "full" });
    const home = sys.env("HOME");
    if (home && sys.realPath(plan.root) === sys.realPath(home)) {
      note(io, "this is your home folder: every folder below it would use this workspace");
    }
    const own = dryRun ? undefined : await ownPart(context, plan, { yes });
    const isWritten = !dryRun && (own === undefined || own.agreed !== undefined);
    const commit = isWritten ? commitLines(plan) : [];
    if (isWritten) await writePlan(plan);
    const { state: tracked } = trackedState(plan.root);
    const hosts = own?.agreed === undefined ? [] : await setUpOwn(io, own.agreed, own.scope);
    const output: InitOutput = {
      root: plan.root,
      dryRun: !isWritten,
      files: plan.files,
      tracked,
      hosts,
      commit,
      ...isWritten ? await agentsHere(context) : { untrusted: [], isAnswered: false },
      isAsked: own?.isAsked ?? false,
    };
    return { output };
  },
  render: renderInit,
});

/** Asks a person to agree to changes of their own configuration; undefined if there is nothing to ask. */
async function ownPart(
  { io, isJson }: Context,
  plan: WorkspacePlan,
  { yes }: { yes: boolean },
): Promise<{ agreed: Offer | undefined; scope: Scope; isAsked: boolean } | undefined> {
  const why = whyNobodyIsAsked(io);
  if (!yes && (isJson || why !== undefined)) return undefined;
  const session = agentSession(io);
  if (session !== undefined) {
    note(io, `your own configuration stays as it is: ${session}`);
    return undefined;
  }
  const scope = setupScope(plan.root, { isProject: false });
  const offer = await proposed(scope);
  if (isEmpty(offer)) return undefined;
  const agreed = yes ? offer : await agreedOffer(io, plan, { offer, scope });
  return { agreed, scope, isAsked: !yes };
}

async function setUpOwn(io: Io, agreed: Offer, scope: Scope): Promise<InitOutput["hosts"]> {
  const outcomes = await changed(agreed, scope, { isDry: false });
  for (const text of notesOn(outcomes, scope)) note(io, text);
  return outcomes.map(({ host, files, error }) => ({ host, files, error: error && error.oneLine }));
}

/** Lists what the user has not agreed to: after a pull, a repository may run more than before. */
async function agentsHere(
  { openState }: Context,
): Promise<Pick<InitOutput, "untrusted" | "isAnswered">> {
  const { config, trust } = await openState();
  const consent = await trust();
  const plan = await consent.plan();
  return {
    untrusted: consent.isTrusted(plan)
      ? []
      : [...Object.keys(plan.agents), ...plan.commands.map((argv) => argv.join(" "))],
    isAnswered: Object.keys(config.agents).length > 0,
  };
}

/** Returns the lines of the commit command, before the plan is carried out. A new folder stands for all its files. */
function commitLines({ root, files }: WorkspacePlan): string[] {
  const written = files.filter(({ action }) => action !== "keep");
  if (written.length === 0 || !isInGit(root)) return [];
  const paths = new Set(written.map(({ path }) => {
    const folders = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
    return folders.find((folder) => sys.lstat(`${root}/${folder}`) === undefined) ?? path;
  }));
  const git = sys.realPath(root) === sys.realPath(sys.cwd()) ? ["git"] : ["git", "-C", root];
  return [
    `${shellLine([...git, "add", "--", ...paths])} &&`,
    shellLine([...git, "commit", "-m", "chore: set up agentx", "--", ...paths]),
  ];
}

function renderInit(output: InitOutput, view: RenderView): string {
  const { root, dryRun, files, tracked, untrusted, hosts, isAnswered, isAsked, commit } = output;
  const { style, width } = view;
  const row = ({ path, action }: { path: string; action: string }) => {
    const verb = dryRun
      ? style.dim(`would ${action}`.padEnd(12))
      : action === "keep"
      ? style.dim("kept   ")
      : style.green(`${action}d`.padEnd(7));
    return `  ${verb}  ${terminalLine(path)}`;
  };
  const list = isAsked ? [] : [...files, ...hosts.flatMap(({ files }) => files)].map(row);
  const failed = hosts.flatMap(({ error }) => error ?? []);
  const isKept = files.every(({ action }) => action === "keep");
  const done = dryRun
    ? "Nothing was written."
    : !isKept
    ? `${terminalLine(root)} is a workspace now.`
    : hosts.some(({ files }) => files.length > 0)
    ? "Your part is set up."
    : `Nothing to do: ${terminalLine(root)} is already a workspace.`;
  const foreign = tracked.length === 0 ? [] : [
    style.red(`  git tracks ${tracked.length} of the files that belong to one machine.`),
    style.dim("  No agent is run for them; see: agentx doctor"),
  ];
  const consent = untrusted.length === 0 ? [] : terminalBlock(
    `This repository would run ${untrusted.join(", ")}. Nothing of that runs before you ` +
      "agree to it: agentx trust",
    { indent: "  ", width },
  );
  const next = [
    ...isKept
      ? []
      : ["Commit these files: agents work on what is committed, and every clone has it."],
    ...commit.map((line) => `  ${terminalLine(line)}`),
    ...isAnswered ? [] : [
      "Say who answers for every role, or for one:",
      "  agentx config set --global agents.default.preset claude",
      "  agentx config set agents.architect.preset claude",
    ],
    "Let one agent ask another about an issue:",
    "  agentx issue create TITLE",
    "  agentx ask architect --issue 1 --from engineer QUESTION",
    "Let them take it from its requirements to a review:",
    ...untrusted.length === 0 ? [] : ["  agentx trust"],
    "  agentx workflow run 1",
  ].map((line) => style.dim(`  ${line}`));
  return [
    ...list,
    ...list.length === 0 ? [] : [""],
    `  ${done}`,
    ...failed.flatMap((text) => terminalBlock(text, { indent: "  ", width })).map(style.red),
    ...foreign,
    ...consent,
    ...dryRun ? [] : next,
  ].join("\n");
}

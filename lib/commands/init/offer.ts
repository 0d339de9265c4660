// What `agentx init` offers a person at a terminal besides the files of the workspace: a coding
// agent that answers for every role without its own, and agentx in coding agents. All of it is
// shown before the one key that accepts it.

import { type Io, viewOf } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { chosenKey } from "../../cli/person.ts";
import { isObject } from "../../base/checks.ts";
import { DEFAULT_AGENT } from "../../config/runnable.ts";
import type { HostName } from "../../hooks/hosts.ts";
import { findProgram } from "../../sys/find_program.ts";
import {
  ANY_ROLE,
  changeHosts,
  type HostOutcome,
  hostsOnPath,
  type Scope,
} from "../../setup/setup.ts";
import { sys } from "../../sys/mod.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { WorkspacePlan } from "../../workspace/init.ts";
import { globalContent } from "../config/file.ts";

/** What is done for this user. */
export interface Offer {
  /** The preset that answers for every role; undefined where none is to be set. */
  answers: string | undefined;
  /** The coding agents that get agentx. */
  hosts: readonly HostName[];
}

/** Nothing but the files of the workspace. */
const FILES_ALONE: Offer = { answers: undefined, hosts: [] };

/** The presets that are offered, and whose account each uses. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  claude: "your account with Anthropic",
  codex: "your account with OpenAI",
  gemini: "your account with Google",
  copilot: "your account with GitHub",
  opencode: "the account that opencode is set to",
};

/** What can be set up here and is not yet; nothing is written. */
export async function proposed(scope: Scope): Promise<Offer> {
  const { agents } = globalContent();
  const isSet = isObject(agents) && Object.hasOwn(agents, DEFAULT_AGENT);
  const outcomes = await planned({ answers: undefined, hosts: hostsOnPath() }, scope);
  return {
    answers: isSet ? undefined : presetsOnPath()[0],
    hosts: outcomes.flatMap(({ host, error }) => host === ANY_ROLE || error !== null ? [] : host),
  };
}

/** Whether it offers nothing. */
export function isEmpty({ answers, hosts }: Offer): boolean {
  return answers === undefined && hosts.length === 0;
}

/**
 * Shows what would be written and run, and asks until a person has decided; undefined where nothing
 * is to be written.
 */
export async function agreedOffer(
  io: Io,
  plan: WorkspacePlan,
  { offer, scope }: { offer: Offer; scope: Scope },
): Promise<Offer | undefined> {
  const first = offer;
  for (;;) {
    const outcomes = await planned(offer, scope);
    io.stderr(`${renderOffer(plan, { offer, outcomes }, viewOf(io, "stderr"))}\n\n`);
    const hasFiles = plan.files.some(({ action }) => action !== "keep");
    const filesAlone = hasFiles ? "   f: only this repository's files" : "";
    const question = `  Enter: do this${filesAlone}   c: choose   q: nothing `;
    const key = await chosenKey(io, question, ["\r", "\n", "c", "q", ...hasFiles ? ["f"] : []]);
    if (key === null || key === "q") return undefined;
    if (key === "f") return FILES_ALONE;
    if (key !== "c") return offer;
    offer = await chosen(io, first);
  }
}

/** The outcome for each, without those that stay as they are. */
function planned({ answers, hosts }: Offer, scope: Scope): Promise<HostOutcome[]> {
  return changed({ answers, hosts }, scope, { isDry: true });
}

/** Does what was accepted, or with `isDry` says what that would be. */
export async function changed(
  { answers, hosts }: Offer,
  scope: Scope,
  { isDry }: { isDry: boolean },
): Promise<HostOutcome[]> {
  const outcomes = await changeHosts(hosts, scope, { isRemoving: false, isDry, anyRole: answers });
  return outcomes
    .map((outcome) => ({
      ...outcome,
      files: outcome.files.filter(({ action }) => action !== "keep"),
    }))
    .filter(({ files, error }) => files.length > 0 || error !== null);
}

function presetsOnPath(): string[] {
  return Object.keys(ACCOUNTS).filter((name) => findProgram(name) !== undefined);
}

async function chosen(io: Io, { answers, hosts }: Offer): Promise<Offer> {
  const presets = answers === undefined ? [] : presetsOnPath();
  const [one] = await askNames(io, "Who answers for every role?", {
    names: presets,
    proposed: presets.slice(0, 1),
    most: 1,
  });
  const several = await askNames(io, "Which get agentx?", { names: hosts, proposed: hosts });
  return { answers: one, hosts: several };
}

/** Asks for some of these names; Enter alone takes those that are proposed. */
async function askNames<Name extends string>(
  io: Io,
  question: string,
  { names, proposed, most = names.length }: {
    names: readonly Name[];
    proposed: readonly Name[];
    most?: number;
  },
): Promise<Name[]> {
  if (names.length === 0) return [];
  for (;;) {
    io.stderr(`  ${question} ${names.join(", ")}, or none [${proposed.join(", ")}]: `);
    const words = (await io.readLine()).trim().toLowerCase().split(/[\s,]+/).filter(Boolean);
    if (words.length === 0) return [...proposed];
    if (words.length === 1 && words[0] === "none") return [];
    const named = names.filter((name) => words.includes(name));
    if (named.length === words.length && named.length <= most) return named;
    note(io, `name ${most === 1 ? "one" : "some"} of them, or none`);
  }
}

function renderOffer(
  { root, files }: WorkspacePlan,
  { offer: { answers, hosts }, outcomes }: { offer: Offer; outcomes: readonly HostOutcome[] },
  { style, width }: RenderView,
): string {
  const block = (text: string, indent: string) => terminalBlock(text, { indent, width });
  const row = ({ path, action }: { path: string; action: string }) =>
    `    ${style.dim(action.padEnd(6))}  ${terminalLine(inHome(path))}`;
  const written = shortened(files);
  const here = written.length === 0 ? [] : [
    "",
    `  ${style.bold("In this repository")}, ${terminalLine(inHome(root))}`,
    ...written.map(row),
  ];
  const own = outcomes.length === 0 ? [] : [
    "",
    `  ${style.bold("In your own configuration")}, for all repositories`,
    ...outcomes.flatMap(({ files, error }) =>
      error === null ? files.map(row) : block(error.oneLine, "    ").map(style.red)
    ),
  ];
  const runs = (name: string, text: string) => {
    const [first, ...rest] = block(text, " ".repeat(12));
    return [`    ${style.bold(name.padEnd(8))}${first.trimStart()}`, ...rest];
  };
  const asked = answers === undefined ? [] : runs(
    answers,
    "answers where an agent asks a role that has no agent of its own. It may read the " +
      `repository, changes nothing, and uses ${ACCOUNTS[answers]}.`,
  );
  const called = hosts.length === 0 ? [] : runs(
    "agentx",
    `is called by each session of ${hosts.join(", ")}, as hooks and tools. It uses no account.`,
  );
  return [
    ...here,
    ...own,
    "",
    `  ${style.bold("What runs from then on")}; nothing runs now`,
    ...asked,
    ...called,
    "",
    ...block(
      "agentx setup --remove takes back what is in your own configuration.",
      "  ",
    ),
  ].join("\n");
}

/** The workflows in one line. */
function shortened(files: WorkspacePlan["files"]): { path: string; action: string }[] {
  const written = files.filter(({ action }) => action !== "keep");
  const isWorkflow = ({ path }: { path: string }) => path.startsWith(".agentx/workflows/");
  const count = written.filter(isWorkflow).length;
  const workflows = { path: `.agentx/workflows/ (${count} files)`, action: "create" };
  return [...count === 0 ? [] : [workflows], ...written.filter((file) => !isWorkflow(file))];
}

function inHome(path: string): string {
  const home = sys.env("HOME");
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

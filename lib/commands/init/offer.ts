// The offer of `agentx init` to a person at a terminal, besides the files of the workspace: a coding agent that answers
// for every role without its own agent, and agentx in coding agents. Everything is shown before one key accepts it.

import { type Io, viewOf } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { chosenKey } from "../../cli/person.ts";
import { isObject } from "../../base/checks.ts";
import { DEFAULT_AGENT } from "../../config/runnable.ts";
import { type HostName, HOSTS, PRESET_NAMES } from "../../hosts/hosts.ts";
import { findProgram } from "../../sys/find_program.ts";
import { type Notice, noticeHere } from "../../setup/notice.ts";
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

/** The changes offered to this user. */
export interface Offer {
  /** The preset that answers for every role; undefined if none is to be set. */
  answers: HostName | undefined;
  /** The command that notifies of questions; undefined if one is set already, or none is wanted. */
  notice?: Notice;
  /** The coding agents that get agentx. */
  hosts: readonly HostName[];
}

/** An offer with nothing but the files of the workspace. */
const FILES_ALONE: Offer = { answers: undefined, hosts: [] };

/** Finds the offer for this machine; writes nothing. */
export async function proposed(scope: Scope): Promise<Offer> {
  const { agents, inbox } = globalContent();
  const isSet = isObject(agents) && Object.hasOwn(agents, DEFAULT_AGENT);
  const outcomes = await planned({ answers: undefined, hosts: hostsOnPath() }, scope);
  return {
    answers: isSet ? undefined : presetsOnPath()[0],
    notice: isObject(inbox) && Object.hasOwn(inbox, "notify") ? undefined : noticeHere(),
    hosts: outcomes.flatMap(({ host, error }) => host === ANY_ROLE || error !== null ? [] : host),
  };
}

/** Whether an offer has neither a preset nor a coding agent. */
export function isEmpty({ answers, hosts }: Offer): boolean {
  return answers === undefined && hosts.length === 0;
}

/**
 * Shows the files and programs of an offer, and asks until a person has decided; undefined if nothing is to be written.
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

/** Returns the outcome for each host, without hosts that stay as they are. */
function planned(offer: Offer, scope: Scope): Promise<HostOutcome[]> {
  return changed(offer, scope, { isDry: true });
}

/** Makes the accepted changes, or with `isDry` lists them. */
export async function changed(
  { answers, notice, hosts }: Offer,
  scope: Scope,
  { isDry }: { isDry: boolean },
): Promise<HostOutcome[]> {
  const own = answers === undefined && notice === undefined
    ? undefined
    : { preset: answers, notice: notice?.command };
  const outcomes = await changeHosts(hosts, scope, { isRemoving: false, isDry, own });
  return outcomes
    .map((outcome) => ({
      ...outcome,
      files: outcome.files.filter(({ action }) => action !== "keep"),
    }))
    .filter(({ files, error }) => files.length > 0 || error !== null);
}

function presetsOnPath(): HostName[] {
  return PRESET_NAMES.filter((name) => findProgram(name) !== undefined);
}

async function chosen(io: Io, { answers, notice, hosts }: Offer): Promise<Offer> {
  const presets = answers === undefined ? [] : presetsOnPath();
  const [one] = await askNames(io, "Who answers for every role?", {
    names: presets,
    proposed: presets.slice(0, 1),
    most: 1,
  });
  const several = await askNames(io, "Which get agentx?", { names: hosts, proposed: hosts });
  const names = notice === undefined ? [] : [notice.name];
  const told = await askNames(io, "What notifies you of questions?", { names, proposed: names });
  return { answers: one, notice: told.length === 0 ? undefined : notice, hosts: several };
}

/** Asks for some of these names; Enter alone takes the proposed names. */
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
  { offer: { answers, notice, hosts }, outcomes }: {
    offer: Offer;
    outcomes: readonly HostOutcome[];
  },
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
      `repository, changes nothing, and uses ${HOSTS[answers].preset!.account}.`,
  );
  const called = hosts.length === 0 ? [] : runs(
    "agentx",
    `is called by each session of ${hosts.join(", ")}, as hooks and tools. It uses no account. ` +
      "Tools that read, note, ask, answer or claim run without a dialog in Claude Code, Codex and " +
      "Gemini; these ask you before they resolve or escalate.",
  );
  const told = notice === undefined ? [] : runs(
    notice.name,
    "tells you of a question that has waited for a minute, once, with its id.",
  );
  return [
    ...here,
    ...own,
    "",
    `  ${style.bold("What runs from then on")}; nothing runs now`,
    ...asked,
    ...called,
    ...told,
    "",
    ...block(
      "agentx setup --remove takes back what is in your own configuration.",
      "  ",
    ),
  ].join("\n");
}

/** Returns the files to write, with all workflows in one line. */
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

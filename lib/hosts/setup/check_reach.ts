/**
 * Whether a host runs ours at all: it may be told to run no hooks, not trust this folder, or start a
 * program that is gone.
 *
 * @module
 */

import { type JsonObject, listOf, objectOf } from "../../checks.ts";
import { AgentxError } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import type { HostName } from "./host_names.ts";
import { HOSTS } from "./hosts.ts";
import { findProgram } from "./how_called.ts";
import { commandFor, type Installation, type Problem } from "./installation.ts";
import { readJson } from "./json_text.ts";
import { ignoredFiles } from "./plain_json.ts";

/** What is in the way, and what to do about it. */
type Obstacle = Pick<Problem, "message" | "next"> & Partial<Problem>;

/** @returns what keeps hooks and tools from being run, and tools from waiting */
export function checkReach(installation: Installation): Problem[] {
  const isProject = installation.scope.place.repository !== undefined;
  const obstacles = [
    isProject ? notOnPath() : programGone(installation),
    ...ignoredFiles(installation.host, installation.scope.place).map((message) => ({
      message,
      next: "Take them out of the file",
    })),
    ...(OBSTACLES[installation.host] ?? []).map((find) => find(installation)),
  ];
  return obstacles.flatMap((obstacle) =>
    obstacle === undefined ? [] : { level: "fail", problem: "not-reached", ...obstacle }
  );
}

const OBSTACLES: Partial<
  Record<HostName, readonly ((installation: Installation) => Obstacle | undefined)[]>
> = {
  claude: [
    (installation) => switchedOff(claudeFiles(installation)),
    (installation) =>
      firstIn(claudeFiles(installation), ({ env }, path) => {
        const limitMs = Number(objectOf(env).MCP_TOOL_TIMEOUT);
        return limitMs <= CLAUDE_WAIT_MS ? shortLimit(path, limitMs) : undefined;
      }),
  ],
  copilot: [
    ({ host }) => switchedOff([`${HOSTS[host].folder()}/settings.json`]),
    (installation) =>
      installation.scope.place.repository === undefined
        ? undefined // what its user has set up runs in every folder
        : untrusted(installation, "config.json", ({ trustedFolders }) =>
          listOf(trustedFolders).map(String)),
  ],
  gemini: [
    (installation) =>
      firstIn(
        foldersOf(installation, ".gemini").map((folder) => `${folder}/settings.json`),
        geminiOff,
      ),
    (installation) => {
      const { security } = settingsIn(`${HOSTS.gemini.folder()}/settings.json`);
      const isOff = objectOf(objectOf(security).folderTrust).enabled === false;
      return isOff ? undefined : untrusted(installation, "trustedFolders.json", geminiTrusted);
    },
  ],
};

/** A tool of ours waits so long in Claude Code. */
const CLAUDE_WAIT_MS = 100_000;

const CHANGE_IT = "Change that setting if its sessions are to recall and to receive answers";

function notOnPath(): Obstacle | undefined {
  if (findProgram("agentx") !== undefined) return undefined;
  return {
    level: "warn",
    message: "agentx is not on your PATH, so what this repository has set up does nothing here",
    next: "Install it with: npm install -g @agentx/toolkit",
  };
}

function programGone(installation: Installation): Obstacle | undefined {
  const servers = [...installation.files.values()].flat().filter(({ at }) => at[0] !== "hooks");
  const gone = servers.map(({ value: { command } }) => String([command].flat()[0]))
    .find((path) => !(path.startsWith("/") ? sys.isExecutable(path) : findProgram(path)));
  return gone === undefined ? undefined : {
    message: `"${gone}", which it is set to start, is no longer a program`,
    next: `Write it again with: ${commandFor(installation)}`,
  };
}

function claudeFiles(installation: Installation): string[] {
  return foldersOf(installation, ".claude")
    .flatMap((folder) => [`${folder}/settings.json`, `${folder}/settings.local.json`]);
}

/** The folders of settings that hold for a session here. */
function foldersOf({ host, scope: { place } }: Installation, name: string): string[] {
  const own = HOSTS[host].folder();
  return place.repository === undefined ? [own] : [own, `${place.repository}/${name}`];
}

function switchedOff(paths: readonly string[]): Obstacle | undefined {
  return firstIn(
    paths,
    ({ disableAllHooks }, path) =>
      disableAllHooks !== true
        ? undefined
        : { message: `"${path}" turns all hooks off (disableAllHooks)`, next: CHANGE_IT },
  );
}

function geminiOff({ hooksConfig }: JsonObject, path: string): Obstacle | undefined {
  const { enabled, disabled } = objectOf(hooksConfig);
  if (enabled === false) {
    return { message: `"${path}" turns all hooks off (hooksConfig.enabled)`, next: CHANGE_IT };
  }
  const ours = listOf(disabled).map(String).filter((name) =>
    /^agentx-| hook host gemini /.test(name)
  );
  if (ours.length === 0) return undefined;
  const message = `"${path}" turns ${ours.join(", ")} off (hooksConfig.disabled)`;
  return { message, next: CHANGE_IT };
}

function geminiTrusted(trusted: JsonObject): string[] {
  return Object.keys(trusted).flatMap((path) => {
    if (trusted[path] === "TRUST_FOLDER") return path;
    return trusted[path] === "TRUST_PARENT" ? path.replace(/\/[^/]*\/?$/, "") : [];
  });
}

/** Hosts run the hooks of a repository only where its user trusts the folder. */
function untrusted(
  installation: Installation,
  file: string,
  trustedIn: (settings: JsonObject) => string[],
): Obstacle | undefined {
  const { host, scope: { from, place: { repository } } } = installation;
  const { folder, title, programs } = HOSTS[host];
  const here = repository ?? sys.realPath(from) ?? from;
  const isTrusted = trustedIn(settingsIn(`${folder()}/${file}`))
    .some((path) => `${here}/`.startsWith(path.endsWith("/") ? path : `${path}/`));
  return isTrusted ? undefined : {
    level: repository === undefined ? "warn" : "fail",
    message: `${title} does not trust "${here}" yet, and runs nothing of agentx in it`,
    next: `Start ${programs[0]} here, and trust the folder when it asks`,
  };
}

function shortLimit(path: string, limitMs: number): Obstacle {
  return {
    problem: "time-out",
    message: `"${path}" ends a tool after ${limitMs / 1_000} s (MCP_TOOL_TIMEOUT), but it may ` +
      `take ${CLAUDE_WAIT_MS / 1_000} s`,
    next: "Raise that limit",
  };
}

function firstIn(
  paths: readonly string[],
  find: (settings: JsonObject, path: string) => Obstacle | undefined,
): Obstacle | undefined {
  for (const path of paths) {
    const obstacle = find(settingsIn(path), path);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

/** What cannot be read says nothing here: its host complains of it. */
function settingsIn(path: string): JsonObject {
  try {
    const text = sys.readTextFile(sys.realPath(path) ?? path) ?? "";
    return text.trim() === "" ? {} : readJson(text, path);
  } catch (error) {
    if (error instanceof AgentxError) return {};
    throw error;
  }
}

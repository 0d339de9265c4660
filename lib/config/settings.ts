// The settings that apply in a workspace: its own `config.json` over the user's file, which applies to all
// repositories. Sections are merged. In `agents`, each agent is taken as a whole, so the repository's settings of an
// agent are never mixed with the user's settings of that agent.

import { isObject, type JsonObject, objectOf } from "../base/checks.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import type { AgentConfig, Config } from "./config.ts";
import { completeConfig, MAX_CONFIG_BYTES, parseContent } from "./content.ts";
import { agreesToWeaker, consentIfAny } from "./consent_file.ts";
import { agreedGitHub } from "./remote_consent.ts";
import { DEFAULT_AGENT } from "./runnable.ts";
import { strengthen } from "./safeguards.ts";
import { userConfigPath } from "./user_folders.ts";
import { isInside } from "../sys/inside.ts";
import { repositoryFolders } from "../git/repository.ts";

interface Place {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The same folder in the caller's tree. */
  tree: string;
}

/** Result of {@linkcode readSettings}. */
export interface Settings {
  /** The merged content of the files. The repository's file takes precedence over the user's file. */
  content: JsonObject;
  config: Config;
  /** `agents` of the repository's own file. */
  repositoryAgents: JsonObject;
  /** Agents that could be run with the user's file, but not with the repository's file over it. */
  hiddenAgents: string[];
  /** Settings of the repository that protect the user less than the default, by key. */
  weaker: JsonObject;
  /** Keys of the repository's settings that do not apply, and why. */
  ignored: { key: string; why: string }[];
}

/** Reads the settings of a workspace. Throws `INVALID_CONFIG`. */
export function readSettings(place: Place, notify: (message: string) => void): Settings {
  return settingsOver(readContent(`${place.root}/.agentx/config.json`), place, notify);
}

/** Like {@linkcode readSettings}, but takes the content of the repository's file. Throws `INVALID_CONFIG`. */
export function settingsOver(
  repository: JsonObject,
  place: Place,
  notify: (message: string) => void,
): Settings {
  const user = readUserContent(place, notify);
  const own = withoutPersonal(repository, notify);
  let isAgreed = false;
  const strengthened = strengthen(own, user, (weaker) => {
    return isAgreed = agreesToWeaker(weaker, consentIfAny(place));
  });
  const { weaker, overruled } = strengthened;
  const content = overlay(user, strengthened.content);
  if (content.mode === "github" && agreedGitHub(place) === undefined) {
    notify(
      "mode github is ignored: you have not agreed here that your token reads a repository. " +
        "Agree with: agentx config set mode github",
    );
    content.mode = "local";
  }
  const { agents = {} } = own;
  const { agents: userAgents = {} } = user;
  return {
    content,
    config: completeConfig(content),
    weaker,
    ignored: [
      ...overruled.map((key) => ({ key, why: "your own setting is stronger, and wins" })),
      ...Object.keys(isAgreed ? {} : weaker)
        .map((key) => ({ key, why: "it protects you less, and you have not agreed to it" })),
    ],
    repositoryAgents: agents as JsonObject,
    hiddenAgents: Object.entries(agents as JsonObject)
      .filter(([role, agent]) =>
        !isRun(agent) &&
        [role, DEFAULT_AGENT].some((name) =>
          Object.hasOwn(userAgents as JsonObject, name) && isRun((userAgents as JsonObject)[name])
        )
      )
      .map(([role]) => role),
  };
}

/**
 * Reads the agents that one file sets, and adds the defaults. A user's file inside the repository is ignored. Throws
 * `INVALID_CONFIG`.
 */
export function agentsIn(file: "user" | "repository", place: Place): AgentConfig[] {
  const content = file === "user"
    ? readUserContent(place, () => {})
    : readContent(`${place.root}/.agentx/config.json`);
  return Object.values(completeConfig(content).agents);
}

/** Returns the message that the repository's settings of an agent keep that agent from being run. */
export function hidesCommand(role: string): string {
  return `This repository's agents.${role} hides the one in your own configuration, so ${role} has ` +
    "no command here";
}

/**
 * Removes settings that only the user may make: programs that run for the human, folders that commands write, the
 * remote, posts in the user's name, and the fallback of every role.
 */
function withoutPersonal(
  { inbox, evidence, remotes, ...rest }: JsonObject,
  notify: (message: string) => void,
): JsonObject {
  const { post, deciders, ...github } = objectOf(rest.github);
  const repository = rest.github === undefined ? rest : { ...rest, github };
  const { [DEFAULT_AGENT]: anyRole, ...agents } = (repository.agents ?? {}) as JsonObject;
  const personal = { inbox, evidence, remotes, "github.post": post, "github.deciders": deciders };
  const ignored = Object.entries({ ...personal, [`agents.${DEFAULT_AGENT}`]: anyRole })
    .filter(([, value]) => value !== undefined);
  for (const [key] of ignored) {
    notify(
      `${key} is ignored in this repository's configuration: it is yours to set, with ` +
        "agentx config set --global",
    );
  }
  return anyRole === undefined ? repository : { ...repository, agents };
}

function isRun(agent: unknown): boolean {
  return isObject(agent) && [agent.command, agent.preset].some((way) => (way ?? null) !== null);
}

/**
 * Reads the user's file. A file inside the repository is not the user's, even if a variable names it. An unreadable
 * file belongs to another user with the same home, and is ignored.
 */
function readUserContent(place: Place, notify: (message: string) => void): JsonObject {
  const path = userConfigPath();
  if (path === undefined) return {};
  try {
    const real = sys.realPath(path); // a link at this path is the user's own
    if (real === undefined) return {};
    if (!isInside(real, repositoryFolders([place.root, place.tree]))) {
      return readContent(real, path);
    }
    notify(`"${path}" is inside the repository, so it is not used as your own configuration`);
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    notify(`${error.summary}: your own configuration is ignored`);
  }
  return {};
}

function readContent(path: string, name = path): JsonObject {
  return parseContent(sys.readTextFile(path, MAX_CONFIG_BYTES) ?? "{}", name);
}

function overlay(below: JsonObject, above: JsonObject): JsonObject {
  const merged = Object.entries(above).map(([key, value]) => {
    const under = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isObject(under) && isObject(value) ? { ...under, ...value } : value];
  });
  return { ...below, ...Object.fromEntries(merged) };
}

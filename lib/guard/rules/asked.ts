// Commands that need a person's decision: they change more than the working tree, or they change the tree in a way
// that is hard to undo. Commands without a rule need a decision too; these rules state a reason. Pure.

import { rules } from "./rule.ts";

/** Matches names of tasks and files that publish or delete something. */
export const RISKY_TASK =
  /^((\w+[:_-])?(pre|post)?(un)?(deploy|publish|release|clean|drop|reset|wipe|purge|prune|destroy|teardown|nuke|migrate|rollback|uninstall)(only)?([:_-].*)?)$/i;

/** Rules that take precedence over the rules that allow. */
export const CAREFUL = rules("ask", {
  "own-permission": {
    reason: "it decides what agents may do",
    commands: ["agentx answer"],
    word: /^grd-/i,
  },
  "start-agents": {
    reason: "it starts agents, which cost money",
    commands: ["agentx clarify|workflow run"],
  },
  "delete-records": {
    reason: "it deletes or moves records that agents share",
    commands: ["agentx memory|issue delete|forget|import|archive|compact"],
  },
  rewrite: {
    reason: "it rewrites files of the tree",
    commands: ["deno|cargo|go fmt", "black|isort|rustfmt"],
    except: "--check --check-only --diff",
  },
  "rewrite-option": {
    reason: "it rewrites or deletes files of the tree",
    commands: [
      "npm|pnpm|yarn|bun|jest|vitest -u|--update|--updateSnapshot|--clearCache|--fix|--write",
      "deno lint --fix",
      "tsc --clean",
      "biome --apply|--apply-unsafe",
      "pytest --basetemp",
    ],
  },
  "foreign-code": {
    reason: "it runs or installs code that is no part of the project",
    commands: ["pytest -p", "mypy --install-types"],
    word: /^(?!no:)[^-]|^--install/,
  },
  "risky-task": {
    reason: "by its name it publishes or deletes something",
    commands: [
      "npm|pnpm|yarn|bun|deno|make|rake|bake|just|tox|nox|invoke|composer|turbo|nx|task|mage|cmake|ninja",
    ],
    word: RISKY_TASK,
  },
  "print-variables": {
    reason: "it prints variables, which may hold secrets",
    commands: ["npm|pnpm|yarn run|run-script env"],
  },
  "run-file": {
    reason: "it runs a file",
    commands: ["bun run"],
    word: /[./]/,
  },
  install: {
    reason: "it writes outside of the working tree",
    commands: ["make|cmake|ninja|meson"],
    word: /^install/,
    except: "-n --dry-run",
  },
  "git-diff-files": {
    reason: "it shows files outside of the working tree",
    commands: ["git diff"],
    word: /^(\/|~|(.*\/)?\.\.(\/|$))/,
  },
});

/** Rules for commands that need a person's answer. */
export const ASKED = rules("ask", {
  secrets: {
    reason: "it prints secrets",
    commands: ["printenv|env", "set|declare|typeset|export", "gh auth token", "security", "pass"],
  },
  delete: {
    reason: "it deletes files",
    commands: ["rm|rmdir|unlink|shred|truncate|remove-item|del|rd|erase", "find -delete"],
  },
  write: {
    reason: "it changes files",
    commands: [
      "cp|mv|ln|install|dd|chmod|chown|chgrp|patch|rsync|split|tar|unzip|zip|gzip|gunzip",
      "sed|perl -i|--in-place",
      "prettier|eslint|stylelint -w|--write|--fix",
    ],
  },
  "git-discard-files": {
    reason: "it discards changes that are committed nowhere",
    commands: ["git restore", "git stash drop|clear", "git checkout -f|--force", "git branch -D"],
  },
  "git-discard-paths": {
    reason: "it discards changes that are committed nowhere",
    commands: ["git checkout"],
    word: /^(--|\.)$/,
  },
  "git-change": {
    reason: "it changes history, branches, remotes or settings of git",
    commands: ["git"],
  },
  network: [
    {
      reason: "it reaches the network",
      commands: [
        "curl|wget|fetch|aria2c|lynx|http|https|iwr|irm|invoke-webrequest|invoke-restmethod",
      ],
      isText: true,
    },
    {
      reason: "it reaches another machine",
      commands: ["nc|ncat|netcat|socat|telnet|ftp|sftp|scp|ssh|ping|dig"],
    },
  ],
  "remote-service": {
    reason: "it acts on a service for which you are signed in",
    commands: [
      "gh|glab|hub|aws|gcloud|az|kubectl|helm|terraform|tofu|pulumi|heroku|vercel|netlify|fly",
    ],
  },
  packages: {
    reason: "it installs, publishes or runs packages of others",
    commands: [
      "npm|pnpm|yarn|bun|npx|bunx|pip|pip3|pipx|uv|poetry|gem|bundle|cargo|go|deno|brew|apt|apt-get|dnf",
      "yum|apk|pacman|snap|conda|composer|mvn|gradle|dotnet",
    ],
  },
  containers: {
    reason: "it runs or removes containers",
    commands: ["docker|podman|nerdctl|docker-compose|vagrant|lxc"],
  },
  "other-user": {
    reason: "it acts as another user",
    commands: ["sudo|doas|su|runas|pkexec|runuser"],
  },
  database: {
    reason: "it runs statements in a database",
    commands: [
      "psql|mysql|mariadb|sqlite3|sqlcmd|duckdb|mongo|mongosh|redis-cli|clickhouse-client|usql",
    ],
  },
});

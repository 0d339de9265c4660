// What a person decides: it changes more than the working tree, or the tree in a way that is hard
// to undo. Commands that no rule knows are asked about as well; these rules say why. Pure.

import type { Rule } from "./rule.ts";

/** Names of tasks, and of files, that publish or delete something. */
export const RISKY_TASK =
  /^((\w+[:_-])?(pre|post)?(un)?(deploy|publish|release|clean|drop|reset|wipe|purge|prune|destroy|teardown|nuke|migrate|rollback|uninstall)(only)?([:_-].*)?)$/i;

/** Rules that come before those that allow. */
export const CAREFUL: readonly Rule[] = [
  {
    id: "own-permission",
    verdict: "ask",
    reason: "it decides what agents may do",
    commands: ["agentx answer"],
    word: /^grd-/i,
    examples: ["agentx answer GRD-001 once"],
    others: ["agentx answer CLR-42-001 yes"],
  },
  {
    id: "start-agents",
    verdict: "ask",
    reason: "it starts agents, which cost money",
    commands: ["agentx clarify|workflow run"],
    examples: ["agentx workflow run 12", "agentx clarify run"],
    others: ["agentx clarify list"],
  },
  {
    id: "delete-records",
    verdict: "ask",
    reason: "it deletes or moves records that agents share",
    commands: ["agentx memory|issue delete|forget|import|archive|compact"],
    examples: ["agentx memory delete 3 --yes"],
    others: ["agentx memory list"],
  },
  {
    id: "rewrite",
    verdict: "ask",
    reason: "it rewrites files of the tree",
    commands: ["deno|cargo|go fmt", "black|isort|rustfmt"],
    except: "--check",
    examples: ["deno fmt", "cargo fmt", "go fmt ./..."],
    others: ["deno fmt --check"],
  },
  {
    id: "rewrite-option",
    verdict: "ask",
    reason: "it rewrites or deletes files of the tree",
    commands: [
      "npm|pnpm|yarn|bun|jest|vitest -u|--update|--updateSnapshot|--clearCache|--fix|--write",
      "deno lint --fix",
      "tsc --clean",
      "biome --apply|--apply-unsafe",
      "pytest --basetemp",
    ],
    examples: ["jest -u", "npm run lint -- --fix", "tsc --build --clean"],
    others: ["npm test", "deno lint"],
  },
  {
    id: "foreign-code",
    verdict: "ask",
    reason: "it runs or installs code that is no part of the project",
    commands: ["pytest -p", "mypy --install-types"],
    word: /^(?!no:)[^-]|^--install/,
    examples: ["pytest -p evil"],
    others: ["pytest -q"],
  },
  {
    id: "risky-task",
    verdict: "ask",
    reason: "by its name it publishes or deletes something",
    commands: [
      "npm|pnpm|yarn|bun|deno|make|rake|bake|just|tox|nox|invoke|composer|turbo|nx",
    ],
    word: RISKY_TASK,
    examples: ["npm run deploy", "make db-reset", "npm run publish:all", "make clean"],
    others: ["npm run build", "deno test tests/release_test.ts"],
  },
  {
    id: "print-variables",
    verdict: "ask",
    reason: "it prints variables, which may hold secrets",
    commands: ["npm|pnpm|yarn run|run-script env"],
    examples: ["npm run env"],
    others: ["npm run env:check"],
  },
  {
    id: "run-file",
    verdict: "ask",
    reason: "it runs a file",
    commands: ["bun run"],
    word: /[./]/,
    examples: ["bun run x.ts"],
    others: ["bun run build"],
  },
  {
    id: "install",
    verdict: "ask",
    reason: "it writes outside of the working tree",
    commands: ["make"],
    word: /^install/,
    except: "-n --dry-run",
    examples: ["make -j4 all install"],
    others: ["make build"],
  },
  {
    id: "git-diff-files",
    verdict: "ask",
    reason: "it shows files outside of the working tree",
    commands: ["git diff"],
    word: /^(\/|~|(.*\/)?\.\.(\/|$))/,
    examples: ["git diff /etc/passwd /dev/null"],
    others: ["git diff main...HEAD", "git diff -- src/"],
  },
];

/** Rules whose commands are asked about. */
export const ASKED: readonly Rule[] = [
  {
    id: "secrets",
    verdict: "ask",
    reason: "it prints secrets",
    commands: ["printenv|env", "set|declare|typeset|export", "gh auth token", "security", "pass"],
    examples: ["printenv", "gh auth token", "env", "export", "declare -p"],
    others: ["set -e", "export A=b"],
  },
  {
    id: "delete",
    verdict: "ask",
    reason: "it deletes files",
    commands: ["rm|rmdir|unlink|shred|truncate|remove-item|del|rd|erase", "find -delete"],
    examples: ["rm file.log", "rm -rf build", "find . -name x -delete"],
  },
  {
    id: "write",
    verdict: "ask",
    reason: "it changes files",
    commands: [
      "cp|mv|ln|install|dd|chmod|chown|chgrp|patch|rsync|split|tar|unzip|zip|gzip|gunzip",
      "sed|perl -i|--in-place",
      "prettier|eslint|stylelint -w|--write|--fix",
    ],
    examples: ["ln -s a b", "tar xf x.tar", "sed -i s/a/b/ x", "prettier --write ."],
  },
  {
    id: "git-discard-files",
    verdict: "ask",
    reason: "it discards changes that are committed nowhere",
    commands: ["git restore", "git stash drop|clear", "git checkout -f|--force", "git branch -D"],
    examples: ["git restore .", "git restore src/", "git stash drop", "git checkout -f"],
    others: ["git restore --staged x"],
  },
  {
    id: "git-discard-paths",
    verdict: "ask",
    reason: "it discards changes that are committed nowhere",
    commands: ["git checkout"],
    word: /^(--|\.)$/,
    examples: ["git checkout .", "git checkout -- x"],
    others: ["git checkout main"],
  },
  {
    id: "git-change",
    verdict: "ask",
    reason: "it changes history, branches, remotes or settings of git",
    commands: ["git"],
    examples: ["git rebase main", "git stash drop", "git config user.name x", "git push"],
    others: ["git status"],
  },
  {
    id: "network",
    verdict: "ask",
    reason: "it reaches the network",
    commands: [
      "curl|wget|fetch|aria2c|lynx|http|https|iwr|irm|invoke-webrequest|invoke-restmethod",
    ],
    isText: true,
    examples: ["curl https://example.com/data.json"],
  },
  {
    id: "network",
    verdict: "ask",
    reason: "it reaches another machine",
    commands: ["nc|ncat|netcat|socat|telnet|ftp|sftp|scp|ssh|ping|dig"],
    examples: ["ssh host ls"],
  },
  {
    id: "remote-service",
    verdict: "ask",
    reason: "it acts on a service for which you are signed in",
    commands: [
      "gh|glab|hub|aws|gcloud|az|kubectl|helm|terraform|tofu|pulumi|heroku|vercel|netlify|fly",
    ],
    examples: ["gh pr merge 1", "terraform destroy -auto-approve"],
    others: ["gh issue list"],
  },
  {
    id: "packages",
    verdict: "ask",
    reason: "it installs, publishes or runs packages of others",
    commands: [
      "npm|pnpm|yarn|bun|npx|bunx|pip|pip3|pipx|uv|poetry|gem|bundle|cargo|go|deno|brew|apt|apt-get|dnf",
      "yum|apk|pacman|snap|conda|composer|mvn|gradle|dotnet",
    ],
    examples: ["npm install evil", "pip install evil", "cargo publish"],
    others: ["npm test"],
  },
  {
    id: "containers",
    verdict: "ask",
    reason: "it runs or removes containers",
    commands: ["docker|podman|nerdctl|docker-compose|vagrant|lxc"],
    examples: ["docker system prune -af --volumes"],
    others: ["docker logs x"],
  },
  {
    id: "other-user",
    verdict: "ask",
    reason: "it acts as another user",
    commands: ["sudo|doas|su|runas|pkexec|runuser"],
    examples: ["sudo ls"],
  },
  {
    id: "database",
    verdict: "ask",
    reason: "it runs statements in a database",
    commands: [
      "psql|mysql|mariadb|sqlite3|sqlcmd|duckdb|mongo|mongosh|redis-cli|clickhouse-client|usql",
    ],
    examples: ['psql -c "select 1"', 'sqlite3 a.db "DELETE FROM users"'],
  },
];

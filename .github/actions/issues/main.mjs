// Follows an event of GitHub in the issues that lie in git, by the program `agentx` of an earlier step. Texts of the event are
// single arguments of that program: no shell sees them. Nothing of them is printed, since the runner obeys lines of its log.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path, GITHUB_REPOSITORY: repository } = process.env;
const BOT = "github-actions[bot]";
const MAIL = "41898282+github-actions[bot]@users.noreply.github.com";
const WHO = {
  ...{ GIT_AUTHOR_NAME: BOT, GIT_AUTHOR_EMAIL: MAIL },
  ...{ GIT_COMMITTER_NAME: BOT, GIT_COMMITTER_EMAIL: MAIL },
};

/** Runs agentx without a shell. */
function agentx(...words) {
  const { status, stdout, error } = spawnSync("agentx", words, {
    encoding: "utf8",
    env: { ...process.env, ...WHO },
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (error) throw error;
  return { isDone: status === 0, stdout };
}

/** The numbers that a merge closes: not those in code, in a comment of HTML or in a quote. */
function closedBy(body) {
  const numbers = new Set();
  let fence;
  for (const line of body.replace(/<!--.*?(?:-->|$)/gs, "").split(/\r\n|\r|\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (!/^ {0,3}>/.test(line)) {
      const words = line.replace(/`[^`]*`/g, "");
      const keyword = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d{1,9})\b/gi;
      for (const [, number] of words.matchAll(keyword)) numbers.add(Number(number));
    }
  }
  return [...numbers];
}

const CLOSE = ["close", "--force", "--because=Closed on GitHub"];

/** What an event changes: the number on GitHub, and the words of the command without it. */
function changesIn({ action, issue, label, pull_request: pull, repository: of }) {
  if (name === "pull_request") {
    const isLanded = action === "closed" && pull.merged === true &&
      pull.base.ref === of.default_branch;
    return isLanded ? closedBy(pull.body ?? "").map((number) => [number, CLOSE]) : [];
  }
  if (name !== "issues") return [];
  const { number } = issue;
  if (action === "closed") return [[number, CLOSE]];
  if (action === "reopened") return [[number, ["edit", "--status=Backlog"]]];
  const text = (label?.name ?? "").replaceAll(",", ";");
  if (text === "" || text.startsWith("clarification:")) return []; // agentx sets these itself
  if (action === "labeled") return [[number, ["edit", `--label=${text}`]]];
  return action === "unlabeled" ? [[number, ["edit", `--remove-label=${text}`]]] : [];
}

/** The issue that came from GitHub under this number, or else the one of this number that lies in git alone. */
function issueOf(number, issues) {
  const source = `github:${repository}#${number}`.toLowerCase();
  return issues.find((issue) => issue.source?.toLowerCase() === source) ??
    issues.find((issue) => issue.number === number && !issue.source);
}

const changes = changesIn(JSON.parse(readFileSync(path, "utf8")));
if (changes.length > 0) {
  const { isDone, stdout } = agentx("issue", "export", "--json");
  if (!isDone) throw new Error("agentx issue export failed: is agentx installed, and .agentx/issues in git?");
  const { issues } = JSON.parse(stdout);
  for (const [number, [verb, ...words]] of changes) {
    const issue = issueOf(number, issues);
    const did = issue && agentx("issue", verb, ...words, "--", String(issue.number)).isDone;
    console.log(`#${number}: ${issue ? `issue ${verb} ${did ? "done" : "failed"}` : "not here"}`);
    if (did === false) process.exitCode = 1;
  }
  if (!agentx("issue", "commit").isDone) throw new Error("agentx issue commit failed");
}

// A real clarification between two scripted agents, in a throw-away workspace: the same router,
// ledger and invoker as in production, only the agents are shell scripts instead of models.

import { commandInvoker } from "../../agents/invoke.ts";
import type { ClarificationRecord, ThreadEntry } from "../../clarify/schema.ts";
import { stepsOf } from "../../cli/steps.ts";
import { sys } from "../../sys/mod.ts";
import { planWorkspace, writePlan } from "../../workspace/init.ts";
import { openWorkspaceParts } from "../../workspace/open.ts";

/** One step of the demo, as it happens. */
export type DemoStep =
  | { kind: "begin" }
  | { kind: "thread"; clarification: ClarificationRecord }
  | { kind: "running"; agent: string; command: string[] }
  | { kind: "entry"; clarification: ClarificationRecord; entry: ThreadEntry }
  | { kind: "end"; root: string; isKept: boolean };

/** How the scripted engineer says that it has no more questions. */
const CLEAR = "CLEAR: ";

const ADR = `# ADR-42: Storage of the health endpoint

Decision: PostgreSQL in production and SQLite for development, behind one repository interface.
Pooling: by configuration, per environment; the adapter takes a pool and never makes one.
`;

const ENGINEER = `#!/bin/sh
# A scripted engineer. It reads what it is told and prints its next question, or "CLEAR: ...".
case "$(cat)" in
  *Pooling*) echo "CLEAR: One repository interface, two adapters, pools from the configuration." ;;
  *SQLite*development*) echo "Should the adapter handle connection pooling, or is that configuration?" ;;
  *) echo "ADR-42 says PostgreSQL, but local development uses SQLite. Both, or migrate?" ;;
esac
`;

const ARCHITECT = `#!/bin/sh
# A scripted architect. Its prompt comes on standard input, its answer goes to standard output.
case "$(cat)" in
  *"round 1 of"*) sed -n 's/^Decision: //p' docs/adr/ADR-42.md ;;
  *) sed -n 's/^Pooling: /Pooling is decided too: /p' docs/adr/ADR-42.md ;;
esac
`;

const ENGINEER_COMMAND = ["sh", "agents/engineer.sh"];
const ARCHITECT_COMMAND = ["sh", "agents/architect.sh"];

const CONFIG = {
  mode: "local",
  defaultWorkflow: "feature",
  agents: { architect: { command: ARCHITECT_COMMAND } },
};

export interface DemoOptions {
  signal: AbortSignal;
  isKept: boolean;
}

export function runDemo({ signal, isKept }: DemoOptions): AsyncGenerator<DemoStep> {
  return stepsOf(async (show) => {
    const root = sys.makeTempDir("agentx-demo-");
    try {
      await makeWorkspace(root);
      await play(root, { show, signal });
      show({ kind: "end", root, isKept });
    } finally {
      if (!isKept) sys.removeFolder(root);
    }
  });
}

async function play(
  root: string,
  { show, signal }: { show: (step: DemoStep) => void; signal: AbortSignal },
): Promise<void> {
  show({ kind: "begin" });
  const architect = commandInvoker({ command: ARCHITECT_COMMAND, cwd: root });
  const { router: openRouter, ledger, events } = await openWorkspaceParts({
    root,
    agents: { architect },
  });
  const router = await openRouter();
  const showLast = ({ clarificationId }: { clarificationId: string }) => {
    const clarification = ledger.getById(clarificationId);
    if (clarification.thread.length === 1) show({ kind: "thread", clarification });
    show({ kind: "entry", clarification, entry: clarification.thread.at(-1)! });
  };
  events.on("clarification-requested", (event) => {
    showLast(event);
    show({ kind: "running", agent: "architect", command: ARCHITECT_COMMAND });
  });
  events.on("clarification-answered", showLast);
  events.on("clarification-resolved", showLast);

  const engineer = commandInvoker({ command: ENGINEER_COMMAND, cwd: root });
  const runEngineer = (prompt: string) => {
    show({ kind: "running", agent: "engineer", command: ENGINEER_COMMAND });
    return engineer({ agent: "engineer", prompt, signal });
  };
  const first = await router.requestClarification({
    issueNumber: 42,
    fromAgent: "engineer",
    toAgent: "architect",
    topic: "Database layer",
    question: await runEngineer("Implement the health endpoint of issue #42."),
    blocking: true,
    signal,
  });
  const { clarificationId } = first;
  let answer = first.answer ?? "";
  let reply = await runEngineer(answer);
  while (!reply.startsWith(CLEAR)) {
    const next = await router.followUp({ clarificationId, question: reply, signal });
    answer = next.answer ?? "";
    reply = await runEngineer(answer);
  }
  const resolutionBody = reply.slice(CLEAR.length);
  await router.resolveClarification({ clarificationId, resolutionBody });
}

async function makeWorkspace(root: string): Promise<void> {
  const plan = planWorkspace(root);
  const files = plan.files.map((file) =>
    file.path.endsWith("config.json")
      ? { ...file, text: JSON.stringify(CONFIG, null, 2) + "\n" }
      : file
  );
  await writePlan({ root, files });
  for (const folder of ["docs/adr", "agents"]) sys.makeDir(`${root}/${folder}`);
  const write = (path: string, text: string) =>
    sys.writeNewFile(`${root}/${path}`, text, { fsync: false });
  write("docs/adr/ADR-42.md", ADR);
  write(ENGINEER_COMMAND[1], ENGINEER);
  write(ARCHITECT_COMMAND[1], ARCHITECT);
}

/**
 * `agentx mcp` as the official inspector's command line sees it, which checks each result against its schema.
 * Where `.ci/run` did not install it, it is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { USER_VARIABLES } from "../temp_user.ts";
import { AGENTX, ended, TempWorkspace } from "../temp_workspace.ts";
import { TOOLS } from "../hosts/host.ts";

const PROGRAMS = `${TOOLS}/inspector/node_modules/.bin`;
const ignore = !isThere(`${PROGRAMS}/node`) || !isThere(`${PROGRAMS}/mcp-inspector`);
if (ignore) console.warn("the inspector of MCP was not tried: .ci/run installs it");

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** It passes hardly any variable to a server. */
function startScript(temp: TempWorkspace): string {
  const set = ["DENO_DIR", ...USER_VARIABLES].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [`export ${name}='${value}'`];
  });
  temp.write("agentx.sh", `${set.join("\n")}\nexec ${AGENTX} "$@"\n`);
  return `${temp.root}/agentx.sh`;
}

async function inspect(temp: TempWorkspace, words: readonly string[]) {
  const { code, out, err } = await ended(
    new Deno.Command(`${PROGRAMS}/mcp-inspector`, {
      args: ["--cli", "sh", `${temp.root}/agentx.sh`, "mcp", "--wait", "5s", ...words],
      cwd: temp.root,
      env: { PATH: `${PROGRAMS}:${Deno.env.get("PATH")}` },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
  return { code, err, result: out === "" ? {} : JSON.parse(out) };
}

const OF_THE_HUMAN = [
  ...["issue=42", "from=engineer", "phase=planning", "blockerType=missing_external_data"],
  ...["codebaseSearch=No keys in config/", "similarFeatures=There are no payments"],
  ...["attemptedInference=Neither mode follows", "question=A or B?", 'option=["A","B"]'],
  ...["fallback=a", "because=it is safer", "confidence=medium", "risk=low - easy to switch"],
];

const OF_TOOLS: [tool: string, args: string[], says: string][] = [
  [
    "clarify_ask",
    ["issue=42", "from=engineer", "to=architect", "topic=DB", "question=Which?"],
    "PG.",
  ],
  ["clarify_list", ["issue=42"], "CLR-42-001"],
  ["clarify_resolve", ["id=CLR-42-001", "conclusion=Clear.", "as=engineer"], "is resolved"],
  [
    "clarify_ask",
    ["issue=42", "from=engineer", "to=pm", "topic=UI", "question=Blue?", "nonBlocking=true"],
    "is pending",
  ],
  ["clarify_answer", ["id=CLR-42-002", "answer=Red.", "as=pm"], "is answered"],
  ["clarify_escalate", ["id=CLR-42-002", "reason=No.", "as=engineer"], "is escalated"],
  ["ask_user", OF_THE_HUMAN, "is waiting for a human"],
  ["memory_note", ["agent=engineer", "issue=42", "category=key-fact", "text=Blue."], "obs-"],
  ["memory_search", ["query=Blue", "limit=3"], "Blue."],
  ["ready", [], "Pay by card"],
];

Deno.test(
  { name: "the official inspector takes the list, and the result of each tool", ignore },
  async () => {
    using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo PG." } });
    startScript(temp);
    await temp.run(["issue", "create", "-t", "Pay by card"]);
    const list = await inspect(temp, ["--method", "tools/list", "--strict"]);
    assertEquals([list.code, list.err], [0, ""]);
    const untried = new Set(list.result.tools.map(({ name }: { name: string }) => name));
    const call = async (tool: string, args: readonly string[], says: string) => {
      const words = ["--method", "tools/call", "--tool-name", tool];
      const { code, err, result } = await inspect(temp, [
        ...words,
        ...args.length > 0 ? ["--tool-arg", ...args] : [],
      ]);
      assertEquals([code, err], [0, ""], JSON.stringify(result));
      assert(result.content[0].text.includes(says), JSON.stringify(result));
      untried.delete(tool);
      return result.structuredContent;
    };
    for (const [tool, args, says] of OF_TOOLS) {
      const { observation } = await call(tool, args, says);
      if (tool === "memory_note") await call("memory_get", [`id=${observation.id}`], "Blue.");
    }
    assertEquals([...untried], []);
  },
);

/**
 * The shape of the house (DESIGN section 2): imports point down the layers, source is ASCII, only
 * `lib/sys/` touches the runtime, and ARCHITECTURE names what there is.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";

const ROOT = new URL("../", import.meta.url).pathname;

/**
 * Top to bottom, a room in each row with its doors: imports go down and through a door, or stay inside a
 * room. A list of doors shrinks; it grows only in a commit that says why.
 */
const LAYERS: readonly (readonly [entry: string, doors: readonly string[]])[] = [
  ["mod.ts", []],
  ["cli.ts", []],
  ["lib/compat/", []],
  ["lib/vscode/", []],
  ["lib/commands/", [
    "mod.ts",
  ]],
  ["lib/setup/", ["check.ts", "how_called.ts", "notice.ts", "render.ts", "setup.ts"]],
  ["lib/doctor/", [
    "doctor.ts",
    "finding.ts",
    "render.ts",
  ]],
  ["lib/mcp/", [
    "server.ts",
  ]],
  ["lib/board/", [
    "actions.ts",
    "board_io.ts",
    "changes.ts",
    "keys.ts",
    "server.ts",
    "static_page.ts",
    "views/activity.ts",
    "views/figures.ts",
    "views/inbox.ts",
    "views/issue.ts",
    "views/issues.ts",
    "views/memory.ts",
    "views/now.ts",
    "views/parts.ts",
    "views/threads.ts",
  ]],
  ["lib/cli/", [
    "acting_agent.ts",
    "command.ts",
    "completion.ts",
    "context.ts",
    "context_io.ts",
    "errors.ts",
    "execute.ts",
    "find_command.ts",
    "inputs.ts",
    "io.ts",
    "note.ts",
    "open_here.ts",
    "person.ts",
    "read_source.ts",
    "run_line.ts",
    "spec.ts",
    "steps.ts",
    "usage_error.ts",
  ]],
  ["lib/why/", [
    "why.ts",
  ]],
  ["lib/plugins/", [
    "extension.ts",
    "package.ts",
    "plugin_manager.ts",
    "problem.ts",
    "servers.ts",
    "skills.ts",
  ]],
  ["lib/undo/", [
    "undo.ts",
  ]],
  ["lib/inbox/", [
    "entry.ts",
    "github_answers.ts",
    "inbox.ts",
    "kinds/plan.ts",
    "notifier.ts",
    "permission.ts",
    "render.ts",
  ]],
  ["lib/workspace/", [
    "adoption.ts",
    "agentx.ts",
    "capture_spooled.ts",
    "deliver.ts",
    "deliveries.ts",
    "due_parts.ts",
    "figures.ts",
    "find.ts",
    "github.ts",
    "guard_place.ts",
    "init.ts",
    "linked_projects.ts",
    "log_tools.ts",
    "machines.ts",
    "open.ts",
    "open_loop.ts",
    "open_requests.ts",
    "open_state.ts",
    "part_labels.ts",
    "pull_request.ts",
    "render_adoption.ts",
    "roles_here.ts",
    "run_monitor.ts",
    "scheduler_parts.ts",
    "session_upkeep.ts",
    "state.ts",
    "state_origin.ts",
    "work.ts",
    "workflow_parts.ts",
  ]],
  ["lib/schedule/", [
    "schedule.ts",
    "scheduler.ts",
    "timer.ts",
  ]],
  ["lib/remote/", [
    "remote.ts",
  ]],
  ["lib/github/", [
    "client.ts",
    "labels.ts",
    "outbox.ts",
    "posts.ts",
    "pull_request.ts",
    "read.ts",
    "record.ts",
    "send_edits.ts",
    "target.ts",
  ]],
  ["lib/run/", [
    "agentic_loop.ts",
    "ambiguity.ts",
    "budget.ts",
    "hub.ts",
    "limits.ts",
    "loop_parts.ts",
    "render.ts",
    "run_call.ts",
    "steps.ts",
    "tool.ts",
    "tools/workspace_tools.ts",
    "transcript.ts",
    "transcript_files.ts",
  ]],
  ["lib/hooks/", [
    "delivery.ts",
    "delivery_report.ts",
    "guard_call.ts",
    "hook_call.ts",
    "human_answers.ts",
    "identity.ts",
    "printed.ts",
    "run_hook.ts",
    "session_files.ts",
    "shared_files.ts",
    "wake.ts",
  ]],
  ["lib/pipeline/", [
    "artifact.ts",
    "artifact_hash.ts",
    "change_files.ts",
    "check_step.ts",
    "facts.ts",
    "finish_step.ts",
    "fix.ts",
    "gate_run.ts",
    "handover_checks.ts",
    "merge_work.ts",
    "new_document.ts",
    "offer_work.ts",
    "run_agent.ts",
    "run_step.ts",
    "run_workflow.ts",
    "standing.ts",
    "step_change.ts",
    "step_task.ts",
    "stopped_steps.ts",
    "templates.ts",
    "unmerged.ts",
    "waits.ts",
  ]],
  ["lib/guard/", [
    "audit.ts",
    "changes.ts",
    "commit_message.ts",
    "git_hooks.ts",
    "judge.ts",
    "paths.ts",
    "policy.ts",
    "request.ts",
    "requests.ts",
    "scan.ts",
    "user_policy.ts",
  ]],
  ["lib/work/", [
    "figures/digest.ts",
    "figures/figures.ts",
    "figures/iso_week.ts",
    "figures/read_facts.ts",
    "figures/render.ts",
    "issue/change.ts",
    "issue/conflicts.ts",
    "issue/criteria.ts",
    "issue/dependencies.ts",
    "issue/history.ts",
    "issue/imports/follow.ts",
    "issue/imports/read.ts",
    "issue/imports/record.ts",
    "issue/issue.ts",
    "issue/issue_files.ts",
    "issue/issue_store.ts",
    "issue/labels.ts",
    "issue/linked_issues.ts",
    "issue/matching.ts",
    "issue/parents.ts",
    "issue/plan.ts",
    "issue/row.ts",
    "issue/still_asked.ts",
    "iterations/loop_gate.ts",
    "iterations/loop_state.ts",
    "queue/lease.ts",
    "queue/machine_claims.ts",
    "queue/ready_queue.ts",
    "queue/selection.ts",
    "route/complexity.ts",
    "route/route.ts",
  ]],
  ["lib/gate/", [
    "assumption.ts",
    "assumption_store.ts",
    "block.ts",
    "gate.ts",
    "interaction.ts",
    "render/interaction.ts",
    "request.ts",
    "store.ts",
    "timeout.ts",
    "wait.ts",
  ]],
  ["lib/memory/", [
    "alerts.ts",
    "anchors/anchors.ts",
    "anchors/in_doubt.ts",
    "anchors/names.ts",
    "dedupe.ts",
    "extract/extract.ts",
    "import_export.ts",
    "index/filters.ts",
    "last_word.ts",
    "memory.ts",
    "memory_pipeline.ts",
    "note.ts",
    "pipeline_options.ts",
    "recall/displacement.ts",
    "recall/quoted_section.ts",
    "recall/recall_rank.ts",
    "recall/session_uses.ts",
    "schema.ts",
    "search/search.ts",
    "store/stats.ts",
    "store/store.ts",
    "warn_on_failure.ts",
  ]],
  ["lib/clarify/", [
    "hub/outcome.ts",
    "hub/requests.ts",
    "hub/router.ts",
    "hub/runner.ts",
    "hub/until_answered.ts",
    "ledger/ledger.ts",
    "ledger/ledger_files.ts",
    "ledger/ledger_reading.ts",
    "monitor/monitor.ts",
    "monitor/monitor_work.ts",
    "monitor/wait_graph.ts",
    "reach.ts",
    "render/threads.ts",
    "rules/escalation.ts",
    "rules/scope.ts",
    "runs/runs.ts",
    "schema.ts",
    "status/agent_states.ts",
    "status/publish.ts",
    "status/session_manager.ts",
    "status/status.ts",
    "status/status_file.ts",
  ]],
  ["lib/agents/", [
    "acp/acp_runner.ts",
    "acp/turn.ts",
    "agent_call.ts",
    "answer.ts",
    "configured.ts",
    "depth.ts",
    "environment.ts",
    "failed_run.ts",
    "failure.ts",
    "http/http_model.ts",
    "installed.ts",
    "invoke.ts",
    "language_model.ts",
    "leftovers.ts",
    "login.ts",
    "results.ts",
    "role_files.ts",
    "run_files.ts",
    "trace.ts",
    "working_form.ts",
  ]],
  ["lib/config/", [
    "config.ts",
    "content.ts",
    "edit.ts",
    "env_files.ts",
    "known_agent.ts",
    "no_effect.ts",
    "packages.ts",
    "remote_consent.ts",
    "role_settings.ts",
    "runnable.ts",
    "safeguards.ts",
    "settings.ts",
    "trust.ts",
    "trust_plan.ts",
    "user_folders.ts",
    "workflow.ts",
  ]],
  ["lib/sandbox/", [
    "confine.ts",
    "walls.ts",
  ]],
  ["lib/lines/", [
    "line.ts",
    "line_store.ts",
    "own_copy.ts",
    "raw_text.ts",
  ]],
  ["lib/transcripts/", [
    "mod.ts",
    "own_recall.ts",
    "read.ts",
    "scaffolding.ts",
    "transcript.ts",
  ]],
  ["lib/who/", [
    "host_process.ts",
    "host_session.ts",
    "surface.ts",
  ]],
  ["lib/git/", [
    "changed_files.ts",
    "commit_files.ts",
    "diff.ts",
    "git_name.ts",
    "left_out.ts",
    "origin.ts",
    "programs.ts",
    "push_branch.ts",
    "reflog.ts",
    "repository.ts",
    "run_git.ts",
    "state_holder.ts",
    "step_branches.ts",
    "step_guard.ts",
    "step_marks.ts",
    "step_names.ts",
    "step_probe.ts",
    "step_tree.ts",
    "tracked.ts",
    "tracked_paths.ts",
  ]],
  ["lib/events/", [
    "bus.ts",
    "follower.ts",
    "log.ts",
    "log_line.ts",
    "operations.ts",
    "read_log.ts",
    "record_effect.ts",
    "runs_today.ts",
  ]],
  ["lib/lock/", [
    "commit.ts",
    "copy.ts",
    "file_lock.ts",
    "held_lock.ts",
    "inspect.ts",
    "json_file.ts",
    "json_list.ts",
    "lock.ts",
    "lock_manager.ts",
    "mod.ts",
    "owner_state.ts",
    "paths.ts",
  ]],
  ["lib/redact/", [
    "border.ts",
    "hint.ts",
    "redact.ts",
    "secret.ts",
  ]],
  ["lib/hosts/", [
    "host.ts",
    "hosts.ts",
    "repository_files.ts",
  ]],
  ["lib/text/", [
    "agent_label.ts",
    "figure_lines.ts",
    "inert.ts",
    "nearest.ts",
    "outline.ts",
    "recall_markers.ts",
    "reg_exp.ts",
    "similarity.ts",
    "style.ts",
    "table.ts",
    "template_marks.ts",
    "text.ts",
    "token_estimate.ts",
    "toml.ts",
    "topic.ts",
    "view.ts",
    "yaml.ts",
  ]],
  ["lib/sys/", [
    "dialog.ts",
    "find_program.ts",
    "http.ts",
    "inside.ts",
    "io_error.ts",
    "loopback.ts",
    "mod.ts",
    "modes.ts",
    "node_require.ts",
    "path_guard.ts",
    "pause.ts",
    "program.ts",
    "random_bytes.ts",
    "replace_file.ts",
    "screen.ts",
    "sqlite.ts",
    "system.ts",
    "task_local.ts",
    "watch.ts",
    "written.ts",
  ]],
  ["lib/base/", [
    "agent_names.ts",
    "bytes.ts",
    "checks.ts",
    "cycles.ts",
    "errors.ts",
    "groups.ts",
    "hash.ts",
    "input_checks.ts",
    "json_schema.ts",
    "origin.ts",
    "quote.ts",
    "session_name.ts",
    "sha256.ts",
    "time.ts",
    "version.ts",
  ]],
];

const FILES = Array.from(
  walkSync(ROOT, { includeDirs: false, exts: ["ts"] }),
  ({ path }) => path.slice(ROOT.length),
).sort();

const SOURCES = FILES.filter((path) => /^(mod\.ts|cli\.ts|lib\/)/.test(path));

function read(path: string): string {
  return Deno.readTextFileSync(ROOT + path);
}

/** The code without comments and without the text of strings that stand on a line of their own. */
function code(path: string): string {
  return read(path).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/** The modules that a module names, those too that are wanted for their types alone. */
function importsOf(path: string, text = code(path)): string[] {
  const folder = path.split("/").slice(0, -1);
  return Array.from(text.matchAll(/\bfrom "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g), (match) => {
    const parts = [...folder];
    for (const part of (match[1] ?? match[2]).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== ".") parts.push(part);
    }
    return parts.join("/");
  }).filter((target) => target.endsWith(".ts"));
}

/** The modules that are loaded with a module. */
function loadedWith(path: string): string[] {
  const types = /\b(import|export) type [^;]*;|\bimport \{(\s*type \w+,?)+\s*\} from [^;]*;/g;
  return importsOf(path, code(path).replace(types, ""));
}

/** All that is reached from a module by `next`, itself first. */
function reachedFrom(path: string, next: (path: string) => string[]): Set<string> {
  const reached = new Set([path]);
  for (const from of reached) for (const target of next(from)) reached.add(target);
  return reached;
}

/** Index of the row that a file belongs to. */
function rowOf(path: string): number {
  return LAYERS.findIndex(([entry]) =>
    entry.endsWith("/") ? path.startsWith(entry) : path === entry
  );
}

/** Each import that leads out of its room. */
function crossings(): { path: string; target: string; from: number; to: number }[] {
  return SOURCES.flatMap((path) =>
    importsOf(path).map((target) => ({ path, target, from: rowOf(path), to: rowOf(target) }))
  ).filter(({ from, to }) => from !== to);
}

Deno.test("every source file has a layer", () => {
  assertEquals(SOURCES.filter((path) => rowOf(path) < 0), []);
});

Deno.test("imports point down the layers", () => {
  const wrong = crossings().filter(({ from, to }) => from < 0 || to < 0 || to < from);
  assertEquals(wrong.map(({ path, target }) => `${path} -> ${target}`), []);
});

Deno.test("a room is entered through its doors, and has no others", () => {
  const entered = new Set(crossings().map(({ target }) => target));
  for (const [room, doors] of LAYERS) {
    const files = [...entered].filter((path) => path.startsWith(room)).sort();
    assertEquals(files.map((path) => path.slice(room.length)), [...doors], room);
  }
});

Deno.test("folders that lie side by side do not import each other on a way round", () => {
  const imports = new Map<string, Set<string>>();
  for (const path of SOURCES) {
    for (const target of importsOf(path)) {
      const [from, to] = [path.split("/"), target.split("/")];
      const at = from.findIndex((part, index) => part !== to[index]) + 1;
      if (at === 0 || from.length === at || to.length === at) continue;
      const [folder, other] = [from, to].map((parts) => parts.slice(0, at).join("/"));
      imports.set(folder, (imports.get(folder) ?? new Set()).add(other));
    }
  }
  const next = (folder: string) => [...imports.get(folder) ?? []];
  const wrong = [...imports.keys()].filter((folder) =>
    next(folder).some((other) => reachedFrom(other, next).has(folder))
  );
  assertEquals(wrong, []);
});

Deno.test("only lib/sys/ touches the runtime", () => {
  const wrong = SOURCES.filter((path) =>
    !path.startsWith("lib/sys/") && /\bDeno\.|"node:|\bprocess\./.test(code(path))
  );
  assertEquals(wrong, []);
});

Deno.test("lib/ uses nothing that Node 20 lacks", () => {
  const newer =
    /\b(?:Map|Object)\.groupBy\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bRegExp\.escape\b|(?:\.(?:values|keys|entries)\(\)|\.matchAll\([^()]*\))\s*\.(?:map|filter|flatMap|some|every|find|take|drop|toArray|reduce)\(|\b(?:to|from)(?:Base64|Hex)\(|\bIterator\.from\b/;
  const wrong = SOURCES.filter((path) => newer.test(code(path)));
  assertEquals(wrong, []);
});

Deno.test("no module imports itself on a way round, not for a type either", () => {
  const imports = new Map(FILES.map((path) => [path, importsOf(path)]));
  const wrong = SOURCES.filter((path) => {
    const targets = reachedFrom(path, (from) => imports.get(from)!.filter((to) => to !== path));
    return [...targets].some((from) => imports.get(from)!.includes(path));
  });
  assertEquals(wrong, []);
});

Deno.test("a file that calls itself pure, and all that it loads, reach no disk, network or clock", () => {
  const isPure = (path: string) => /^\/\*\*(?:(?!\*\/)[^])*\bPure\b/.test(read(path));
  const touches = /\bsys\b\./.source +
    /|\bfetch\(|Date\.now\b|new Date\(\)|performance\.now\b|Math\.random\b/.source;
  const wrong = SOURCES.filter(isPure).flatMap((path) =>
    Array.from(reachedFrom(path, loadedWith))
      .filter((reached) => new RegExp(touches).test(code(reached)))
      .map((reached) => `${path} -> ${reached}`)
  );
  assertEquals(wrong, []);
});

Deno.test("code that runs agents is loaded only to run or show one", () => {
  const runs = /^lib\/agents\/(?:configured|fallback|host_reply|installed|preset|http\/)/;
  const types = /\b(import|export) type [^;]*;/g;
  const atStart = (path: string) =>
    importsOf(path, code(path).replace(types, "").replace(/\bimport\("[^"]+"\)/g, ""));
  const starts = SOURCES.filter((path) =>
    /^(cli\.ts|lib\/(commands|workspace|doctor)\/)/.test(path) &&
    !/^lib\/commands\/(?:agents|run|agents\/test|workflow\/run)\.ts$/.test(path)
  );
  const wrong = starts.flatMap((path) =>
    Array.from(reachedFrom(path, atStart)).filter((reached) => runs.test(reached))
      .map((reached) => `${path} -> ${reached}`)
  );
  assertEquals(wrong, []);
});

Deno.test("source is ASCII", () => {
  const all = [
    ...FILES,
    "CHANGELOG.md",
    "README.md",
    ...Array.from(
      walkSync(`${ROOT}docs`, { includeDirs: false, skip: [/\.png$/] }),
      ({ path }) => path.slice(ROOT.length),
    ),
    "deno.json",
    ".ci/run",
    ".github/ARCHITECTURE.md",
    ".github/CONTRIBUTING.md",
  ];
  // deno-lint-ignore no-control-regex -- that is what ASCII is
  assertEquals(all.filter((path) => /[^\x00-\x7f]/.test(read(path))), []);
});

const DESIGN = Array.from(
  Deno.readDirSync(`${ROOT}docs/design`),
  ({ name }) => `docs/design/${name}`,
);

Deno.test("ARCHITECTURE and docs/design: each file and folder that they name exists", () => {
  const paths = Array.from(walkSync(ROOT, { skip: [/\/\.git\//] }), ({ path, isDirectory }) => {
    return `/${path.slice(ROOT.length)}${isDirectory ? "/" : ""}`;
  });
  // Some are named from a folder on; `state/` is in the workspace of a user.
  const wrong = [".github/ARCHITECTURE.md", ...DESIGN].flatMap((page) => {
    const named = Array.from(read(page).matchAll(/`([\w./]+)`/g), ([, name]) => name)
      .filter((name) => /\/|\.ts$/.test(name) && !/^state\//.test(name));
    return named.filter((name) =>
      !["", ".ts", "/"].some((end) => paths.some((path) => path.endsWith(`/${name}${end}`)))
    ).map((name) => `${page}: ${name}`);
  });
  assertEquals(wrong, []);
});

Deno.test("ARCHITECTURE: each room of lib/ has its place in the tree", () => {
  const cells = read(".github/ARCHITECTURE.md").matchAll(/(?<=^\| )`(lib\/\w+\/)`/gm);
  const rooms = LAYERS.map(([entry]) => entry).filter((room) => room.endsWith("/"));
  assertEquals(Array.from(cells, ([, name]) => name), rooms);
});

Deno.test("the top level holds nothing but what the house names", () => {
  const allowed =
    /^(deno\.json|deno\.lock|mod\.ts|cli\.ts|lib|workers|tests|bench|docs|dist|findings|README\.md|CHANGELOG\.md|LICENSE|\..+)$/;
  const names = Array.from(Deno.readDirSync(ROOT), ({ name }) => name);
  assertEquals(names.filter((name) => !allowed.test(name)), []);
});

/**
 * The shape of the house (DESIGN section 2): imports point down the layers, source is ASCII, and only
 * `lib/sys/` touches the runtime.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { walkSync } from "@std/fs/walk";

const ROOT = new URL("../", import.meta.url).pathname;

/** Top to bottom. Files of one row, unless they share a folder, do not import each other. */
const LAYERS: string[][] = [
  ["mod.ts", "cli.ts"],
  ["lib/commands/"],
  ["lib/cli/"],
  ["lib/doctor/"],
  ["lib/workspace/"],
  ["lib/work/"],
  ["lib/memory/"],
  ["lib/clarify/"],
  ["lib/agents/", "lib/transcripts/", "lib/config/workflow.ts"],
  ["lib/config/"],
  ["lib/lock/"],
  ["lib/events/follower.ts", "lib/line_json.ts"],
  ["lib/redact/border.ts", "lib/events/bus.ts", "lib/events/log.ts", "lib/text/table.ts"],
  [
    "lib/text/text.ts",
    "lib/text/template_marks.ts",
    "lib/redact/redact.ts",
    "lib/text/style.ts",
    "lib/time.ts",
    "lib/config/toml.ts",
    "lib/config/json_schema.ts",
    "lib/agent_names.ts",
  ],
  ["lib/redact/"],
  ["lib/sys/"],
  [
    "lib/checks.ts",
    "lib/errors.ts",
    "lib/text/quote.ts",
    "lib/cycles.ts",
    "lib/bytes.ts",
    "lib/pause.ts",
  ],
];

/** They touch neither disk, network nor clock. */
const PURE = [
  "lib/config/no_effect.ts",
  "lib/cli/spellings.ts",
  "lib/line_json.ts",
  "lib/redact/border.ts",
  "lib/text/text.ts",
  "lib/text/template_marks.ts",
  "lib/redact/redact.ts",
  "lib/redact/rules/command_lines.ts",
  "lib/redact/rules/credential_files.ts",
  "lib/redact/rules/key_patterns.ts",
  "lib/redact/hint.ts",
  "lib/redact/key_values.ts",
  "lib/redact/rules/key_words.ts",
  "lib/redact/manifests.ts",
  "lib/redact/pem.ts",
  "lib/redact/looks_like_secret.ts",
  "lib/redact/private_parts.ts",
  "lib/redact/repeats.ts",
  "lib/redact/secret.ts",
  "lib/redact/rules/context_rule.ts",
  "lib/redact/rules/context_rules.ts",
  "lib/redact/tables.ts",
  "lib/redact/rules/token_prefixes.ts",
  "lib/redact/tokens.ts",
  "lib/redact/value_at.ts",
  "lib/redact/visible_text.ts",
  "lib/text/style.ts",
  "lib/time.ts",
  "lib/text/table.ts",
  "lib/cycles.ts",
  "lib/bytes.ts",
  "lib/text/quote.ts",
  "lib/config/toml.ts",
  "lib/checks.ts",
  "lib/agent_names.ts",
  "lib/agents/environment.ts",
  "lib/agents/failure.ts",
  "lib/agents/host_session.ts",
  "lib/clarify/components.ts",
  "lib/config/config.ts",
  "lib/config/program_paths.ts",
  "lib/clarify/effective_status.ts",
  "lib/clarify/escalation.ts",
  "lib/clarify/prompt.ts",
  "lib/clarify/render/threads.ts",
  "lib/clarify/renumber.ts",
  "lib/clarify/render/event.ts",
  "lib/clarify/render/graph.ts",
  "lib/clarify/render/stats.ts",
  "lib/clarify/run_limits.ts",
  "lib/clarify/schema.ts",
  "lib/clarify/scope.ts",
  "lib/clarify/stats.ts",
  "lib/clarify/status_file.ts",
  "lib/clarify/transitions.ts",
  "lib/clarify/wait_graph.ts",
  "lib/memory/search/merged_index.ts",
  "lib/memory/search/filters.ts",
  "lib/memory/hash.ts",
  "lib/memory/search/indexed_document.ts",
  "lib/memory/search/loose_match.ts",
  "lib/memory/fingerprint.ts",
  "lib/memory/store/memory_file.ts",
  "lib/memory/truncate.ts",
  "lib/memory/compaction_plan.ts",
  "lib/memory/extract/extract.ts",
  "lib/memory/extract/blocks.ts",
  "lib/memory/extract/candidate.ts",
  "lib/memory/extract/cues.ts",
  "lib/memory/extract/headings.ts",
  "lib/memory/extract/junk.ts",
  "lib/memory/extract/select.ts",
  "lib/memory/extract/sentences.ts",
  "lib/memory/extract/statements.ts",
  "lib/memory/extract/summary.ts",
  "lib/memory/extract/tools.ts",
  "lib/memory/extract/words.ts",
  "lib/memory/recall/recall_section.ts",
  "lib/memory/import_export.ts",
  "lib/memory/render/observations.ts",
  "lib/memory/render/stats.ts",
  "lib/memory/extract/relative_paths.ts",
  "lib/memory/store/renumber.ts",
  "lib/memory/dedupe.ts",
  "lib/memory/schema.ts",
  "lib/memory/session_id.ts",
  "lib/memory/search/query.ts",
  "lib/memory/search/bm25.ts",
  "lib/memory/search/segment.ts",
  "lib/memory/search/segment_builder.ts",
  "lib/memory/recall/relevance.ts",
  "lib/memory/search/search.ts",
  "lib/memory/store/stats.ts",
  "lib/memory/search/stem.ts",
  "lib/memory/search/tokens.ts",
  "lib/memory/superseded.ts",
  "lib/work/issue/dependencies.ts",
  "lib/work/queue/dependency_graph.ts",
  "lib/work/render/dependencies.ts",
  "lib/work/route/ignored.ts",
  "lib/work/issue/issue.ts",
  "lib/work/issue/issue_file.ts",
  "lib/work/issue/labels.ts",
  "lib/work/queue/lease.ts",
  "lib/work/issue/linked.ts",
  "lib/work/loop/loop_state.ts",
  "lib/work/issue/mentions.ts",
  "lib/work/issue/outline.ts",
  "lib/work/queue/selection.ts",
  "lib/work/render/issues.ts",
  "lib/work/route/route.ts",
  "lib/work/digest/markdown.ts",
  "lib/work/digest/iso_week.ts",
  "lib/workspace/git/ewah.ts",
  "lib/workspace/git/git_index.ts",
];

const FILES = Array.from(
  walkSync(ROOT, { includeDirs: false, exts: ["ts"] }),
  ({ path }) => path.slice(ROOT.length),
).sort();

const SOURCES = FILES.filter((path) =>
  /^(mod\.ts|cli\.ts|lib\/)/.test(path) && !path.startsWith("lib/std/")
);

function read(path: string): string {
  return Deno.readTextFileSync(ROOT + path);
}

/** The code without comments and without the text of strings that stand on a line of their own. */
function code(path: string): string {
  return read(path).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function importsOf(path: string): string[] {
  const folder = path.split("/").slice(0, -1);
  return Array.from(code(path).matchAll(/\bfrom "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g), (match) => {
    const parts = [...folder];
    for (const part of (match[1] ?? match[2]).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== ".") parts.push(part);
    }
    return parts.join("/");
  }).filter((target) => target.endsWith(".ts"));
}

/** Index of the row, and the entry of the row, that a file belongs to. */
function placeOf(path: string): { row: number; entry: string } | undefined {
  for (const [row, entries] of LAYERS.entries()) {
    const entry = entries.find((entry) =>
      entry.endsWith("/") ? path.startsWith(entry) : path === entry
    );
    if (entry !== undefined) return { row, entry };
  }
  return undefined;
}

Deno.test("every source file has a layer", () => {
  assertEquals(SOURCES.filter((path) => placeOf(path) === undefined), []);
});

Deno.test("imports point down the layers", () => {
  const wrong = SOURCES.flatMap((path) => {
    const from = placeOf(path);
    return importsOf(path).filter((target) => {
      const to = placeOf(target);
      if (from === undefined || to === undefined) return true;
      return from.entry === to.entry ? false : to.row <= from.row;
    }).map((target) => `${path} -> ${target}`);
  });
  assertEquals(wrong, []);
});

Deno.test("only lib/sys/ touches the runtime", () => {
  const wrong = SOURCES.filter((path) =>
    !path.startsWith("lib/sys/") && /\bDeno\.|"node:|\bprocess\./.test(code(path))
  );
  assertEquals(wrong, []);
});

Deno.test("pure files touch neither disk, network nor clock", () => {
  const wrong = PURE.filter((path) =>
    /sys\/|\bfetch\(|Date\.now\(|new Date\(\)|performance\.now\(|Math\.random\(/.test(code(path))
  );
  assertEquals(wrong, []);
});

Deno.test("source is ASCII", () => {
  const all = [
    ...FILES,
    "README.md",
    "deno.json",
    ".ci/run",
    ".github/ARCHITECTURE.md",
    ".github/CONTRIBUTING.md",
  ];
  // deno-lint-ignore no-control-regex -- that is what ASCII is
  assertEquals(all.filter((path) => /[^\x00-\x7f]/.test(read(path))), []);
});

Deno.test("the top level holds nothing but what the house names", () => {
  const allowed =
    /^(deno\.json|deno\.lock|mod\.ts|cli\.ts|lib|workers|tests|bench|dist|README\.md|LICENSE|\..+)$/;
  const names = Array.from(Deno.readDirSync(ROOT), ({ name }) => name);
  assertEquals(names.filter((name) => !allowed.test(name)), []);
});

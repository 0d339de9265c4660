import { assertEquals } from "@std/assert";
import { commandsOf, isRunnable, presetsOf, type RunSettings } from "../../lib/config/runnable.ts";

const SETTINGS: [string, RunSettings, presets: string[], commands: string[][], runs: boolean][] = [
  ["nothing", { command: null, preset: null }, [], [], false],
  ["a command", { command: ["a", "-b"], preset: null }, [], [["a", "-b"]], true],
  ["a preset", { command: null, preset: "claude" }, ["claude"], [["claude"]], true],
  [
    "a list",
    { command: null, preset: ["codex", "http"] },
    ["codex", "http"],
    [["codex"]],
    true,
  ],
  ["a command, which wins over a preset", { command: ["a"], preset: "claude" }, [], [["a"]], true],
  ["http alone, which is no program", { command: null, preset: "http" }, ["http"], [], true],
];

for (const [name, settings, presets, commands, runs] of SETTINGS) {
  Deno.test(`presetsOf(), commandsOf() and isRunnable() of ${name}`, () => {
    const found = [presetsOf(settings), commandsOf(settings), isRunnable(settings)];
    assertEquals(found, [presets, commands, runs]);
  });
}

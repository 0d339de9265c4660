import { assertEquals } from "@std/assert";
import { withRelativePaths } from "../../../lib/memory/note.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const FOLDERS = ["/home/me/a+b", "/home/me/a+b/.worktrees/x"];

const TEXTS: Record<string, string> = {
  "The file /home/me/a+b/src/app.ts has been updated": "The file src/app.ts has been updated",
  'in "/home/me/a+b/.worktrees/x/src/app.ts:3"': 'in "src/app.ts:3"',
  "at file:///home/me/a+b/mod.ts:1:2": "at mod.ts:1:2",
  "M /home/me/a+b/a.ts M /home/me/a+b/.env": "M a.ts M .env",
  "/home/me/a+b and /home/me/a+b/ itself": "/home/me/a+b and /home/me/a+b/ itself",
  "/home/me/a+bc/x /mnt/home/me/a+b/x ~/x": "/home/me/a+bc/x /mnt/home/me/a+b/x ~/x",
};
for (const [text, expected] of Object.entries(TEXTS)) {
  Deno.test(`withRelativePaths() makes "${expected}"`, () => {
    assertEquals(withRelativePaths(text, FOLDERS), expected);
  });
}

Deno.test("memory capture and note write paths of the repository relative to it", async () => {
  using temp = new TempWorkspace();
  const said = (content: unknown) => ({
    type: "user",
    sessionId: "s-1",
    timestamp: "2026-03-01T10:00:00.000Z",
    message: { role: "user", content },
  });
  const transcript = [
    said("Always keep the timeout in /etc/app.conf at 30 s."),
    said(`Never edit ${temp.root}/src/app.ts by hand.`),
  ].map((line) => JSON.stringify(line) + "\n").join("");
  const who = ["--agent", "engineer", "--issue", "42"];
  await temp.json(["memory", "capture", ...who], { stdin: transcript });
  await temp.json(["memory", "note", ...who, `Begin with ${temp.root}/mod.ts`]);
  const { observations } = await temp.json(["memory", "export"]);
  const contents = observations.map(({ content }: { content: string }) => content);
  assertEquals(contents.sort(), [
    "Always keep the timeout in /etc/app.conf at 30 s.",
    "Begin with mod.ts",
    "Never edit src/app.ts by hand.",
  ]);
});

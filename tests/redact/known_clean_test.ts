import { assert, assertEquals } from "@std/assert";
import { isClean, isKnownClean, loadRules, RULES_VERSION } from "../../lib/redact/known_clean.ts";
import { withoutSecrets } from "../../lib/redact/border.ts";
import { TempStore } from "../memory/temp_store.ts";
import { sample } from "../memory/temp_store.ts";

const FOLDER = new URL("../../lib/redact/", import.meta.url).pathname;

function sourcesIn(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder)).flatMap(({ name, isDirectory }) =>
    isDirectory ? sourcesIn(`${folder}${name}/`) : [`${folder}${name}`]
  ).filter((path) => !path.endsWith("/known_clean.ts")).sort();
}

Deno.test("RULES_VERSION is that of the rules: what others left as it is, is looked at again", async () => {
  const text = sourcesIn(FOLDER).map((path) => Deno.readTextFileSync(path)).join("");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const version = new DataView(digest).getUint32(0);
  assertEquals(RULES_VERSION, version, `lib/redact changed: RULES_VERSION must be ${version}`);
});

Deno.test("isClean() says yes only of what redaction leaves as it is", async () => {
  await loadRules();
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
  assert(isClean("The token is kept in the vault"));
  assert(!isClean(`The token is ${token}`));
});

Deno.test("a text that the index knows to be clean passes the border, one beside it does not", async () => {
  using temp = new TempStore();
  const clean = "The token of the registry is kept in the vault";
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
  await temp.store.store([sample(clean), sample(`The registry takes the token ${token}`)]);
  await temp.store.close();
  const hits = await temp.another().search("registry token");
  assertEquals(hits.length, 2);
  assert(isKnownClean(clean));
  assert(hits.every(({ summary }) => summary === clean || !isKnownClean(summary)));
  const shown = await withoutSecrets(hits);
  assertEquals(shown.map(({ summary }) => summary).sort(), [
    "The registry takes the token [redacted: github-token]",
    clean,
  ]);
});

Deno.test("a mark that came in a file of the repository is not believed", async () => {
  using temp = new TempStore();
  const token = `ghp_${"z9Y8x7W6v5U4t3S2r1".repeat(2)}`;
  await temp.store.store([sample(`Deploys use the token ${token}`)]);
  await temp.store.close();
  const path = `${temp.folder}/issue-29.json`;
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, text.replace('"agent"', `"clean":${RULES_VERSION},"agent"`));
  const [hit] = await temp.another().search("deploys token");
  assert(!isKnownClean(hit.summary));
});

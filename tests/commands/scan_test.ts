/** What `agentx scan` makes of a value, by the kind of the file that it stands in. */

import { assertEquals } from "@std/assert";
import type { ScanFinding } from "../../lib/guard/scan.ts";
import { TempWorkspace } from "../temp_workspace.ts";

/** Made here, so that no secret stands in the source. */
const DRAWN = ["k7Qw2", "xT9Zr", "4mBv8", "aB3dE", "5fG7h"].join("");
const WORD = ["pillow", "879"].join("_");
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;

async function found(files: Record<string, string>): Promise<string[]> {
  using workspace = new TempWorkspace();
  for (const [path, text] of Object.entries(files)) workspace.write(`a/${path}`, text);
  const { findings } = await workspace.json(["scan", "a"]) as { findings: ScanFinding[] };
  return findings.map(({ path }) => path.slice("a/".length)).sort();
}

async function assertAllFound(files: Record<string, string>): Promise<void> {
  assertEquals([...new Set(await found(files))], Object.keys(files).sort());
}

Deno.test("scan: a token that its prefix tells is found in a file of any kind", async () => {
  await assertAllFound(Object.fromEntries(
    ["src/a.ts", "tests/b_test.go", "docs/c.md", "d.lock", "e.min.js", "f.env", "vendor/g.rb"]
      .map((path) => [path, `see ${TOKEN}\n`]),
  ));
});

Deno.test("scan: a password of a setting, of a string in code and of a sentence is found", async () => {
  await assertAllFound({
    "src/a.ts": `const password = "${WORD}";\n`,
    "src/b.py": `API_KEY = "${DRAWN}"\n`,
    "src/c.go": `req.Header.Set("X-Api-Key: ${DRAWN}")\n`,
    "src/d.java": `new Client("postgres://app:${WORD}@db/shop")\n`,
    "src/e.ts": `const log = "{\\"password\\":\\"${DRAWN}\\"}";\n`,
    ".env": `DB_PASSWORD=${WORD}\n`,
    "config.yaml": `password: ${WORD}\n`,
    "README.md": `The password is ${WORD}.\n`,
    "session.jsonl": JSON.stringify({ text: `The token:\n${DRAWN}` }),
  });
});

Deno.test("scan: in tests and documents, what was drawn is a secret, and what was made up is none", async () => {
  await assertAllFound({
    "tests/a_test.ts": `const token = "${DRAWN}";\n`,
    "docs/b.md": `api_key: ${DRAWN}\n`,
  });
  assertEquals(
    await found({
      "tests/c_test.ts": `login("bob", "${WORD}");\nconst password = "${WORD}";\n`,
      "src/d.spec.ts": `expect(config.password).toBe("${WORD}");\n`,
      "docs/e.md": `Log in with the password ${WORD} and go on.\n`,
      "list.snap": `<li data-key="${DRAWN}" />\n`.repeat(9),
      "locales/f.json": JSON.stringify({ PasswordHash: 1, password: "Mot de passe2" }),
      "a/lang/g.json": JSON.stringify({ MailPasswordChange2: "Hallo %1$s,\n\nEine Anfrage" }),
    }),
    [],
  );
});

Deno.test("scan: a name of code is no secret, nor is an id that no word tells of", async () => {
  assertEquals(
    await found({
      "a.go":
        "// K8SDaemonSetUIDKey is the key of a set\nauthKey = oauth2.Config2\nif len(key) != AES128GCMKeySize {\n",
      "b.scala":
        'val confKey = "akka.use-slf4j2"\nListing(ServiceKeyA, Set(service.ref.narrow2))\n',
      "c.rb": 'SECRET_KEY_NAME = "s3_disable_express_session_auth"\nisSecret = true2$(b)\n',
      "d.php": "'Template.afterPassword' => 'render2FaUserSettings',\n",
      "ids.txt": '"pw8xyj6zcbrgteo5z78u1rmwn8",\n"pe7ks6zzf3yptdtp1r4mpf7ifx"\n',
      "api.yaml": `example: "${DRAWN.toLowerCase()}"\nnet: ${DRAWN.toLowerCase()}\n`,
      "api.json": `{ "the key of it": 1,\n  "v1alpha1SourceHydrator": {} }\n`,
      "secret.yaml": "kind: Secret\nstringData:\n  audience: shop\n  clientId: user\n",
      "values.yaml": "secretNamespace: k3d-helm-cluster\nauth-secret: shop-basic-auth\n",
    }),
    [],
  );
});

Deno.test("scan: a line of data is no token, and a short prefix within a word is none", async () => {
  const line = `${"aB3dE5fG7h".repeat(6)}aB3d`;
  assertEquals(
    await found({
      "roots.go": `pem := \`\n${line}\nu+${line.slice(2)}\n${line}\n\`\n`,
      "go.sum": `example.org/a v1.0.0 h1:u+${DRAWN}${DRAWN.slice(0, 16)}=\n`,
      "a.pb.go": `file_google_api_expr_v1alpha1_checked_proto_rawDescOnce2 sync.Once\n`,
      "pods.log":
        "path=/var/log/pods/shop_market-api-f67ff7567-gqrvb_35649bfd-52ff-4281-9294-5f65fd5a89fc/a\n",
    }),
    [],
  );
});

Deno.test("scan: packages under the host that they are from are not read", async () => {
  assertEquals(await found({ "vendor/example.org/a/b.go": `key := "${TOKEN}"\n` }), []);
});

Deno.test("scan names a file alike however its path is written", async () => {
  using workspace = new TempWorkspace();
  workspace.write("a/b.env", `see ${TOKEN}\n`);
  const all = await Promise.all(
    [["a"], ["./a"], ["a/../a/b.env"], []].map((path) => workspace.json(["scan", ...path])),
  );
  const [[first]] = all.map(({ findings }) => findings as ScanFinding[]);
  assertEquals(first.path, "a/b.env");
  for (const { findings } of all) assertEquals(findings, [first]);
});

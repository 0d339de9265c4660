/** What recorded sessions are full of and stays, and what stands beside it and goes. */

import { assert, assertEquals } from "@std/assert";
import { redact } from "../../lib/redact/redact.ts";

const STAYS: Record<string, readonly string[]> = {
  "results of tests": [
    "--- PASS: TestParse/valid_RFC3339_with_UTC (0.00s)\n    --- PASS: TestParse/a_2 (0.00s)",
    '{"output":"--- FAIL: TestUser\\n    --- PASS: TestUser/local_2_exists (0.01s)\\n"}',
    "PASS: test-lock2.sh\nFAIL: test-lock3.sh",
    "| Suite | Pass |\n|---|---|\n| unit | 1204/1204 |",
  ],
  "ids of sessions": [
    "level=INFO sessionId=4e1588fb-3560-4042-92bd-47cd28b30dac path=/a",
    "session_id=str(uuid.uuid4())",
    "sessionID=session-456-beta",
  ],
  "methods and calls": [
    "events, err := s.QueryUnmatchedFileEvents(ctx, from)",
    'auth = base64.b64encode(f"{user}:{key}".encode())',
    "password = base64.b16encode(os.urandom(8))",
    "secret = keypair[:32]",
    "{ withCredentials: defaultToConfig2,\n  withXSRFToken: defaultToConfig2, adapter: defaultToConfig2 }",
    "Projects.APIKeys = api_keys_1.APIKeys;",
    "token: typing.Union[SHA1, SHA256]",
  ],
  "verdicts in a sentence": [
    "Every touched package should now pass: internal/ledger, internal/queue.",
    "Gate G2 PASS: `app stop` ends the loop within 2 s.",
    "A pass is keyed by `first_pass_id` (the pass: seed).",
  ],
  "types and formats of Go": [
    "func same(folder string, secret *corev1.Secret) (bool, error) {",
    "type Box struct {\n\tEncrypt_key      [32]uint8\n}",
    "func (pw *progressWriter) Start() {",
    "log in with %[1]sgh auth switch%[1]s, or set GH_TOKEN: %[1]srepo%[1]s",
  ],
  "manifests and lock files": [
    '{"dependencies":{"@inquirer/password":"^4.0.21","csrf-token":"^1.2.33","secret-store":"~2.10.14"}}',
    '"js-tokens": ["js-tokens@4.0.0", "", {}, "sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJ"]',
    '"code-point": ["code-point@3.0.0", "", {}, "sha512-zymm5+u+sCsSWyD9qNaejV3DFvhCKclKdizYaJUuHA83RL"]',
    "* deps: send@0.15.6\n    - perf: token serve-static@1.12.6",
  ],
  "signatures, ids and shapes": [
    '"sig": "MEUCIBnCAgBND2tf60dg5uvlw0EBbBRhFtMuP3YTRpIQj2hCAiEAmWSymilDx8Y0"',
    '"rawBytes": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2G2Y+2tabdTV5BcGiBIx0a9fAFwrkBbmLSGtks4L3qX6"',
    '["vvkKs7IShUI15nVb9c5olPgBnL9r4uP7+d5KzV0hSjs=",\n"Fg4p0WJZw8Lghrpxkx1SXgzfroTeIIrEgEbfgr9IdXY="]',
    "Answered thread PRRT_kwDOBq7ZdM4xTn2LW and kept the labels.",
    '"endCursor": "Y3Vyc29yOnYyOpK5MjAxOS0xMC0xMVQwMTozODowMyswODowMM5f3HZq"',
    '<path d="M12 15h-1v-3h-1m1-5h.02M20 11a8 8 0 10-16 0 8 8 0 0116 0z" />',
    "The shards took 3m12s/5m40s/2m08s on this run.",
    '"ca-west-1.elb.amazonaws.com": "Z06473681N0SF6OS049SD"',
  ],
  "texts of issues of other tools": [
    "Tests fail before `git_safety_guard-99e.4.1` is implemented and pass after it.",
    'echo "PASS: 5-digit numeric code displayed"',
    "After the post-pass: ~0.70-0.85 (not all of it)",
    "super() does not reach the key of the edges despite 4rgg/d29r/vw1u/kiuw fixes",
    '(r"(?i)postgres://[^:]+:[^@]+@", "[POSTGRES_URI]"),',
  ],
  "schemes, hosts, booleans and alternatives": [
    "Authorization: AWS4-HMAC-SHA256 Credential=xxx/19700101/us",
    "image: quay.io/team/token-refresher:master-2024-12-11-08b888a",
    "variable=servicePrincipalId;issecret=true2$(env)",
    "array('user', 'pass', 'Basic|Digest|NTLM|Any')",
    "d5l0dvt14r5h8.cloudfront.net:443 is of aws",
    "PasswordPattern = `^.{8,32}$`",
    "DISABLE_AUTH?=\nE2E_DIR2?=/tmp/argo-e2e",
    "kind: Secret\ndata:\n  ca.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM1ekND",
  ],
  "words of tests": [
    "authorization: 'Bearer replacement-token'",
    'GH_TOKEN: "gho_abc123"',
    'newProvider("key", "secret", "hmac-sha512")',
  ],
  "flags in a sentence": [
    "pass the --token option",
    "If --cloud-token flag was given, use --password instead.",
    "adduser --disabled-password --no-create-home deploy",
    "date -u +%Y-%m-%dT%H:%M:%SZ",
  ],
  "the next line": [
    "// get the access token\npkg/cloud/sync.go:813: x1y2",
    "msg=refreshing the token\n  90-time=2026-02-12T18:01:45.351",
    "S3_ACCESS_KEY=\nS3_SECRET_KEY=\n",
    "password:\n  secretKeyRef:\n    name: db-credentials2\n",
    "a user message\n/Users/ann/Source/agent_session_test.go-120-",
  ],
  "cells of tables": [
    "| Name | Key |\n|---|---|\n| save | Ctrl+F12 |",
    "| `token` | base64url | the token |",
    "| Setting | Value |\n|---|---|\n| api_key | header2name |",
  ],
  "tokens that are written as words, or as the same again and again": [
    "glcbt-helloworld380_of_a_test",
    "glptt-need-to-be-of-40-characters-or-else-fail",
    "ak_live_XYZabc123XYZabc123XYZabc123XYZ",
  ],
  "texts of other languages": [
    "password=\u041f\u0430\u0440\u043e\u043b\u0430",
    "forgot_password=Zapomenut\u00e9 heslo",
    "- `password`\uff1a\u63a5\u4e0b\u6765\u7684\u7ae0\u8282\u3002",
    "Cada respuesta puede tener una clave `model`.",
  ],
  "names in code": [
    "include_password=include_password,",
    "JAVA_NET_SOCKS_PASSWORD = 'java.net.socks.password';",
    "Password: b64Pwd,",
    "pw_gid = 50001",
    "pw *doctree.NodeShiftTreeWalker[contentNode]",
    'env = append(env, "DOLT_REMOTE_PASSWORD="+c.password)',
    "class test_ModelsIdFieldTypeVariations:",
    "// GetFloat32Slice returns the value of the key",
    "func TestDetectBootstrapAction_ServerModeMissingConfiguredDBDoesNotReturnNone(t *testing.T) {",
    "token, packument_status(token, '@stage-e2e/lifecycle')",
    "import botocore.auth  # noqa: F401,PLC0415",
  ],
  "addresses and digests in Base64": [
    "https://www.youtube.com/watch?v=T1itpPvFWHI&list=PLLAZ4kZ9dFpOPV5C5Ay0pHaa0RJFhcmcB",
    "resolution: {integrity: sha512-u+na3gxhzeksm4xZyAzn1XWo5a5j7hgWA0KcFPDQ8qQNkRknx4jnQMxVtcZ9}",
    "hash_of(graph) == 'mh+rYklpd1DBj/dg6dnG+yd8BQhU2UiUoRMSXjPV1JA='",
    '.header("sec-websocket-key", "6D69KGBOr4Re+Nj6zx9aQA==")',
    'decodeBase64("Cg4oNTE5KSA4NjctNTMwORAB")',
    "[encode('Hello'), 'SGVsbG8sIOS4lueVjA==']",
    '"https://deno.land/std@0.120.0/async/debounce.ts": "b2f693e4baa16b62793fd618de6c003b63228db50ecfe3bd51fc5f6dc0bc264b",',
    '"https://cdn.example.net/gh/lume@3.1.2/core/tokens.ts": "201777343e716403bfb1dbbc1a988a85b8d3f12699daaacbe8bbdc3c352a57ff",',
    "https://gumroad.com/l/CadfZ?option=e1n1yQCH968rENm8w0FBgQ%3D%3D",
    "const AUTO_SAVE_STORAGE_KEY = 'vue-sfc-playground-auto-save'",
    "llvm (https://github.com/yugabyte/llvm-project.git 0b8d1183745fd3998d8beffeec8cbe99c1b20529)",
  ],
  "what a program looks for or found": [
    'validAddrPort := netip.MustParseAddrPort("192.0.2.1:1234")',
    'after, found = strings.CutPrefix(repoURL, "https://github.com/")',
    'assert.Error(err, "expected error when --hide-secret used without --dry-run")',
    "printf pacquet | openssl dgst -sha256 -binary",
    "| 1 | Review | **PASS** | reviewer-1 recorded it |",
    'pass: "{{ .Values.rootUser.password | b64enc }}"',
    'KEY="$RANDOM$RANDOM"; SECRET_KEY="$RANDOM$RANDOM"',
    "Optionally set the API key (defaults to claude-sonnet-4-20250514)",
    "- [Security](../security/index.md), then the user: [Guide](../user/index.md#user-login)",
  ],
  "protocols, numbers, types and members": [
    "`password` {string} Password for SOCKS5 authentication",
    "USERNAME_PASSWORD: 0x02,",
    "sign(payload: JWTPayload, privateKey: HonoJsonWebKey)",
    "mask = ntohl(pat->val.ipv4.mask.s_addr);",
    "msg.session_key = swap32(smbc->session_key);",
    "let token = Uuid::new_v4();",
    "assert(etag === '8-O2uVAFaQ1rZvlKLT14RnuvjPIdg')",
  ],
  "names of products and branches": [
    "unlock it with a password in 1Password, says 1Password Desktop",
    "| **Password Manager** | active |",
    " * [new branch] claude/redact-secrets-b4NWV -> claude/redact-secrets-b4NWV",
    "- User agents: python-313-conventions (of a project)",
  ],
  "names by which machines share a clarification of ours": [
    '{"uid":"9vq2t1m8k3s0-9f8e7d6c5b4a3210","line":"l4jkgqhmdos6.b4b8c3bb8fa0ca92"}',
  ],
  "names and versions": [
    "example.org/token v1.1.0/go.mod h1:UGzOrNV1mAFSEB63",
    "PWD: '/Users/maciej2'",
    "input_tokens:1/output_tokens:1",
    'private_key: "_EllipticCurvePrivateKey"',
  ],
};

for (const [name, texts] of Object.entries(STAYS)) {
  Deno.test(`redact() leaves ${name} as they are`, () => {
    assertEquals(texts.map(redact), texts);
  });
}

/** Made here, so that no secret stands in the source. */
const VALUE = ["k7Qw2", "xT9Zr", "4mBv8"].join("");
const TOKEN = `ghp_${VALUE.repeat(3)}`;

const GOES: Record<string, readonly string[]> = {
  "after a line break or a mark that is spelled": [
    `{"out":"done\\n${TOKEN}"}`,
    `{"out":"done\\t${TOKEN}"}`,
    `"{\\"out\\":\\"done\\\\n${TOKEN}\\"}"`,
    `{"out":"done\\r\\npwd=${VALUE}\\n"}`,
    `{"out":"done\\nBearer ${VALUE}"}`,
    `{"out":"kind: Secret\\ndata:\\n  a: ${VALUE}\\n"}`,
    `see?a=1\\u0026access_token=${VALUE}`,
    `q=done%20${TOKEN}`,
  ],
  "on a line of its own": [
    `The password is:\n\n    ${VALUE}\n`,
    `The token:\n\`\`\`\n${VALUE}\n\`\`\`\n`,
    `The password for staging\nis ${VALUE} now`,
    `run --token \\\n  ${VALUE} --all`,
  ],
  "beside what stays": [
    `USER: bob\nPASS: ${VALUE}`,
    `DB PASS: ${VALUE}`,
    `run --token ${VALUE} option`,
    `sessionid=${VALUE}`,
    `| token | ${VALUE} |`,
    `| user | pass |\n|---|---|\n| ann | ${VALUE} |`,
  ],
};

/** Longer than a name, with marks that templates, links and shells use. */
const MARKED = ["m{{h}o)p", "${e]nob(ody", "[finds>-_$#this}}"].join("");

const QUOTED: Record<string, readonly string[]> = {
  "after :=, === and !==": [
    `password := "${VALUE}"`,
    `if (password === "${VALUE}") {`,
    `if ("${VALUE}" !== this.password) {`,
  ],
  "with blanks": [
    `password = "${VALUE} 4mB"`,
    `--user 'bob:${VALUE} 4mB' https://a`,
    `curl -u "bob":"${VALUE}" https://a`,
  ],
  "with marks, wherever it is given to a name": [
    `api_key=${MARKED}`,
    `set_db_pass("${MARKED}")`,
    `config.set("api_key", "${MARKED}")`,
    `std::string password("${MARKED}");`,
    `Dim password As String = "${MARKED}"`,
    `if (strcmp(password, "${MARKED}") == 0) {`,
    `if (db_pass.equals("${MARKED}")) {`,
    `if ("${MARKED}" != db_pass) {`,
    `secret->"${MARKED}"`,
    `secret :: "${MARKED}"`,
    `"apikeys[4]" => "${MARKED}",`,
  ],
  "with marks of templates": [
    `password = "${VALUE.slice(0, 5)}$abc${VALUE}"`,
    `api_key = "${MARKED}${VALUE}"`,
    `token = '${VALUE}&k#4~x^${VALUE}'`,
  ],
};

const DEFAULTS = [
  `PASSWORD = os.environ.get("PASSWORD") or "${VALUE}"`,
  `local TOKEN = (os.getenv("API_TOKEN") or "${VALUE}")`,
  `const string TOKEN = getenv("API_TOKEN") ? getenv("API_TOKEN") : "${VALUE}";`,
  `postgres://app:\${POSTGRES_PASSWORD:-${VALUE}}@db:5432/a`,
];

Deno.test("redact() takes a secret out that stands for the case that nothing is set", () => {
  assertEquals(DEFAULTS.filter((text) => redact(text).includes(VALUE.slice(0, 8))), []);
});

for (const [kind, texts] of Object.entries(QUOTED)) {
  Deno.test(`redact() takes a quoted secret out ${kind}`, () => {
    const left = (text: string) => [VALUE, MARKED].some((each) => text.includes(each.slice(0, 8)));
    assertEquals(texts.filter((text) => left(redact(text))), []);
  });
}

Deno.test("redact() takes words out that are a password, and leaves sentences about one", () => {
  assertEquals(redact('password = "open sesame"'), 'password = "[redacted: password]"');
  const texts = [
    'password = "enter your password"',
    'password: "must not be empty"',
    'const password = "${process.env.PASSWORD}";',
    'token: "^[a-z]+(?:-[a-z]+)*$"',
  ];
  assertEquals(texts.map(redact), texts);
});

for (const [place, texts] of Object.entries(GOES)) {
  Deno.test(`redact() takes a secret out ${place}`, () => {
    const leaks = texts.filter((text) => redact(text).includes(VALUE.slice(0, 8)));
    assertEquals(leaks, []);
    assert(texts.every((text) => redact(text).includes("[redacted: ")));
  });
}

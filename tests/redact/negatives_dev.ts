/**
 * Texts that must come back as they were; the half that the rules may be written against.
 *
 * A placeholder says in words, signs or code that the value stands elsewhere: `<your-token>`, `xxxx`,
 * `****`, `${TOKEN}`, `$TOKEN`, `{{ token }}`, `%TOKEN%`, `process.env.TOKEN`, `your-api-key-here`,
 * `changeme`, `REPLACE_ME`, `null`, an empty string, `[REDACTED]`. It stays, because a memory that
 * lost it would not be safer and would no longer say what to do.
 *
 * @module
 */

import type { Negative } from "./score.ts";
import { publicValues } from "./public_values.ts";

const { alphanumeric, base64, block, hex, uuid } = publicValues(40);

const TEXTS: Record<string, string[]> = {
  "git hash": [
    `commit ${hex(40)}\nAuthor: Alice <alice@example.com>`,
    `Merge ${hex(7)} into ${hex(7)}`,
    `Reverted in ${hex(40)} because the build broke.`,
    `index ${hex(7)}..${hex(7)} 100644`,
    `uses: actions/checkout@${hex(40)} # v4.1.1`,
  ],
  "digest": [
    `sha256:${hex(64)}`,
    `${hex(64)}  agentx-linux-x64.tar.gz`,
    `SHA512 (file.tgz) = ${hex(128)}`,
    `FROM node:20-alpine@sha256:${hex(64)}`,
    `md5sum: ${hex(32)}`,
    `"integrity": "sha512-${base64(86)}==",`,
    `<script src="/a.js" integrity="sha384-${base64(64)}" crossorigin="anonymous"></script>`,
    `checksum = "${hex(64)}"`,
  ],
  "identifier": [
    `request ${uuid(4)} took 20 ms`,
    `id: 01HV7Q2M4Z8T6K9J3N5P0R1S2W`,
    "CLR-42-001 was answered by architect",
    "obs-engineer-29-1709035200000-a1b2c3",
    `session ${uuid(4)} resumed; parentUuid ${uuid(4)}`,
    `traceparent: 00-${hex(32)}-${hex(16)}-01`,
    `"_id": "${hex(24)}",`,
    `toolu_01${alphanumeric(22)} finished`,
  ],
  "public key": [
    block("CERTIFICATE"),
    block("PUBLIC KEY"),
    "the chain:\n" + block("CERTIFICATE") + "\n" + block("CERTIFICATE"),
    block("CERTIFICATE REQUEST"),
  ],
  "image and code": [
    `<img src="data:image/png;base64,iVBORw0KGgo${base64(400)}">`,
    `background: url(data:image/svg+xml;base64,${base64(200)}) no-repeat;`,
    "!function(e,t){for(var n=0,r=t.length;n<r;n++)e[t[n].key]=t[n].value;return e}({},[]);",
    "const t=e=>e.replace(/[A-Z]/g,e=>`-${e.toLowerCase()}`),n=(e,t,n)=>e?t:n;",
    `//# sourceMappingURL=index-${hex(8)}.js.map`,
    "mappings: AAAA,SAASA,EAAOC,GACd,OAAOA,EAAEC,QAAQ,SAAU,OAC7B",
  ],
  "placeholder": [
    "export API_TOKEN=<your-token>",
    "password: xxxxxxxxxxxx",
    "Authorization: Bearer ${TOKEN}",
    "Authorization: Bearer <access_token>",
    "const token = process.env.GITHUB_TOKEN;",
    'api_key = os.environ["API_KEY"]',
    "token: ${{ secrets.NPM_TOKEN }}",
    "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
    "DB_PASSWORD=changeme",
    'secret: "your-secret-here"',
    "OPENAI_API_KEY=your-api-key-here",
    "password=********",
    "postgres://${DB_USER}:${DB_PASSWORD}@localhost/app",
    'curl -H "Authorization: Bearer $TOKEN" https://api.example.com',
    "client_secret: {{ vault.client_secret }}",
    "token = [REDACTED]",
    "--password $DB_PASSWORD",
    "password: null",
    'PASSWORD=""',
  ],
  "code about secrets": [
    "interface Login { user: string; password: string; token?: string }",
    "const token = getToken();",
    "const password = await prompt('Password: ');",
    "if (token === undefined) throw new Error('missing token');",
    "def login(username: str, password: str) -> Token:",
    "this.apiKey = options.apiKey;",
    "headers.set('Authorization', `Bearer ${token}`);",
    "password = config.get('database.password')",
    "function hashPassword(password, salt) { return scrypt(password, salt, 64); }",
    "const { password, ...rest } = user;",
    "token: Token.Identifier, value: lexer.next()",
    "private_key = load_private_key(path)",
    '<input type="password" name="password" autocomplete="current-password">',
    "z.object({ password: z.string().min(8), token: z.string().optional() })",
  ],
  "words": [
    "tokens: 245",
    "The secretary tokenizes passwordless logins.",
    "max_tokens=20000 and 1500 tokens left",
    "tokenizer: BertTokenizerFast",
    "Forgot password? Reset your password here.",
    "The secret of a good test is a small fixture.",
    "key: ArrowDown",
    "The token expires after 3600 seconds and the password must have 12 characters.",
    "primary_key: customer_id",
    "password policy: minimum-length, uppercase-letters, no-repeats",
    "author: alice, authority: example.com, authentication: required",
    "Basic usage and bearer tokens are described in RFC6750.",
  ],
  "numbers and paths": [
    "version 12.4.0-beta.3+build.20250304",
    "color: #1a2b3c; border: 1px solid #AABBCCDD;",
    "Call +49 30 12345678 or 0800-555-0199.",
    "/usr/local/lib/node_modules/npm/node_modules/@npmcli/arborist/lib/index.js",
    "at Object.<anonymous> (/srv/app/dist/server/chunks/4829.js:1:20931)",
    "https://github.com/denoland/deno/blob/v2.1.4/cli/args/flags.rs#L1204-L1210",
    "2025-03-04T10:11:12.345Z 1709035200000 1e-10 0xdeadbeef",
    "C:\\Users\\alice\\AppData\\Local\\Temp\\vite-node-7f3a\\index.mjs",
    "ssh://git@github.com:22/acme/site.git and git@github.com:acme/site.git",
    "http://localhost:8080/@vite/client",
    "https://registry.npmjs.org/@types/node/-/node-20.11.5.tgz",
    "user@example.com wrote to admin:ops@example.org",
  ],
  "lockfile": [
    '    "node_modules/chalk": {\n      "version": "5.3.0",\n      "resolved": ' +
    `"https://registry.npmjs.org/chalk/-/chalk-5.3.0.tgz",\n      "integrity": "sha512-${
      base64(86)
    }=="\n    },`,
    `chalk@^5.3.0:\n  version "5.3.0"\n  resolved "https://registry.yarnpkg.com/chalk/-/` +
    `chalk-5.3.0.tgz#${hex(40)}"\n  integrity sha512-${base64(86)}==`,
    `github.com/spf13/cobra v1.8.0 h1:${base64(43)}=`,
    `    resolution: {integrity: sha512-${base64(86)}==}`,
    `"@std/assert@1.0.16": {\n  "integrity": "${hex(64)}",`,
    `[[package]]\nname = "serde"\nversion = "1.0.200"\nchecksum = "${hex(64)}"`,
  ],
};

/** Every text once. */
export const DEV_NEGATIVES: Negative[] = Object.entries(TEXTS).flatMap(([name, texts]) =>
  texts.map((text) => ({ class: name, text }))
);

/**
 * Texts that must come back as they were; the half that nobody looks at while writing rules. What
 * counts as a placeholder is said in the other half.
 *
 * @module
 */

import type { Negative } from "./score.ts";
import { publicValues } from "./public_values.ts";

const { alphanumeric, base64, block, hex, uuid } = publicValues(770);

const TEXTS: Record<string, string[]> = {
  "git hash": [
    `* ${hex(7)} (HEAD -> main, origin/main) fix(parser): keep the last token`,
    `git cherry-pick -x ${hex(40)}`,
    `- [\`${hex(7)}\`](https://github.com/acme/site/commit/${hex(40)}) - drop Node 14`,
    `tree ${hex(40)}\nparent ${hex(40)}`,
    `ref: ${hex(40)}`,
  ],
  "digest": [
    `Digest: sha256:${hex(64)}`,
    `etag: "${hex(32)}"`,
    `sha1 ${hex(40)} of the download differs`,
    `--hash=sha256:${hex(64)} \\`,
    `integrity sha1-${base64(27)}=`,
    `"shasum": "${hex(40)}",`,
    `cksum: sha512-${base64(86)}==`,
    `image: postgres@sha256:${hex(64)}`,
  ],
  "identifier": [
    `correlation_id=${uuid(7)}`,
    `{"sessionId":"${uuid(7)}","cwd":"/srv"}`,
    "CLR-7-1024 escalated; CLR-7-1023 resolved",
    "obs-data-scientist-118-1741082000123-9zk3qd supersedes obs-engineer@2-118-1741081000001-00aabb",
    `trace=${hex(32)} span=${hex(16)}`,
    `chatcmpl-${alphanumeric(29)} finished`,
    "arn:aws:iam::123456789012:role/deploy-role",
    `projects/demo/locations/eu/keyRings/main/cryptoKeys/k1/cryptoKeyVersions/3`,
    `container ${hex(12)} exited with 137`,
  ],
  "public key": [
    block("CERTIFICATE"),
    `ca = "${block("CERTIFICATE", "\\n")}"`,
    block("RSA PUBLIC KEY"),
    block("PGP PUBLIC KEY BLOCK"),
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(43)} alice@laptop`,
  ],
  "image and code": [
    `![x](data:image/jpeg;base64,/9j/4AAQ${base64(300)})`,
    `src: url("data:font/woff2;base64,d09GMgAB${base64(250)}") format("woff2");`,
    "var a=function(){return(a=Object.assign||function(e){for(var t,n=1;n<arguments.length;n++)t=arguments[n];return e})};",
    "e.exports=r(4829),e.exports.default=e.exports;const{a:i,b:s}=o(17);",
    `import("./chunk-${alphanumeric(8)}.js").then((m) => m.default());`,
    '<path d="M12.5 3.2c-1.1 0-2 .9-2 2v14.6l4.4-2.2 4.4 2.2V5.2c0-1.1-.9-2-2-2z"/>',
  ],
  "placeholder": [
    "GITHUB_TOKEN=<paste your token here>",
    "api_key: XXXXXXXXXXXXXXXXXXXXXXXX",
    "Authorization: Bearer YOUR_ACCESS_TOKEN",
    "Authorization: Basic <base64 of user:password>",
    'secret := os.Getenv("APP_SECRET")',
    "password = ENV.fetch('DB_PASSWORD')",
    "apiKey: import.meta.env.VITE_API_KEY,",
    "password: !vault-ref db/password",
    "AWS_SECRET_ACCESS_KEY=your_secret_access_key",
    "password: '<redacted>'",
    "token: '...'",
    '--token "$(cat token.txt)"',
    "mysql -u root -p shop",
    "https://user:${PASSWORD}@registry.example.com/",
    'echo "$NPM_TOKEN" | docker login -u bot --password-stdin',
    "client_secret = var.client_secret",
    "secretKeyRef:\n  name: db\n  key: password",
    "password=%DB_PASSWORD%",
    "passphrase: REPLACE_ME",
    "API_KEY=",
  ],
  "code about secrets": [
    "type Options = { apiKey?: string; secret: Buffer | undefined };",
    "let token = lexer.peek();",
    "private_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)",
    "fn verify(password: &str, hash: &str) -> Result<bool>",
    "self.token = token or default_token()",
    "expect(screen.getByLabelText('Password')).toBeVisible();",
    'export type TokenType = "identifier" | "number" | "string";',
    "headers: { Authorization: `Bearer ${await getAccessToken()}` },",
    "@Column() password: string;",
    "const cookie = req.headers.cookie ?? '';",
    "res.cookie('session', sessionId, { httpOnly: true });",
    "passwordField.addEventListener('input', validatePassword);",
    "secrets: inherit",
    "const secret = crypto.randomBytes(32).toString('hex');",
  ],
  "words": [
    "prompt_tokens: 1532, completion_tokens: 88",
    "passwords must be changed every 90 days, secrets too",
    "Added tokenization, detokenize() and a keyboard shortcut.",
    "The secretariat keyed in the cookies recipe.",
    "key: value pairs, sort_key: created_at",
    "password: the user's password, at least 8 characters",
    "token: a string that identifies the session",
    "BREAKING: the `token` option is now required; `secret` was removed.",
    "We keep the API key in the keychain and the password in a vault.",
    "foreign_key: orders_customer_id_fkey",
    "access_token lifetime: 15 minutes, refresh_token lifetime: 30 days",
    "bearer authentication, basic authentication, digest authentication",
  ],
  "numbers and paths": [
    "v0.0.0-20231214170342-aacd6d4b4611",
    "box-shadow: 0 1px 2px rgba(0,0,0,.08); fill: #ff8800cc",
    "Phone +1 (555) 010-9999, fax 555.010.8888",
    "~/.cache/deno/npm/registry.npmjs.org/undici-types/6.19.8/index.d.ts",
    "    at async Promise.all (index 3)\n    at file:///srv/app/node_modules/.pnpm/vite@5.4.2_@types+node@20/node_modules/vite/dist/node/chunks/dep-BzOvws4Y.js:51901:28",
    "goroutine 17 [running]: main.(*Server).handle(0xc0000b4000, 0xc00012e2a0)",
    "epoch 1741082000123, offset -0500, 3.14159265358979323846",
    "https://docs.example.com/en/latest/api/authentication.html#bearer-token-auth",
    "git@gitlab.example.com:ops/infra.git",
    "https://cdn.jsdelivr.net/npm/htmx.org@2.0.4/dist/htmx.min.js",
    "192.168.10.24:8443 fe80::1ff:fe23:4567:890a 02:42:ac:11:00:02",
    "mailto:jane.doe+lists@example.org?subject=Hello",
  ],
  "lockfile": [
    `      "version": "7.26.0",\n      "resolved": "https://registry.npmjs.org/@babel/core/-/core-7.26.0.tgz",\n      "integrity": "sha512-${
      base64(86)
    }==",\n      "dev": true,`,
    `[[package]]\nname = "requests"\nfiles = [\n  {file = "requests-2.32.3.tar.gz", hash = "sha256:${
      hex(64)
    }"},\n]`,
    `golang.org/x/sys v0.20.0 h1:${base64(43)}=\ngolang.org/x/sys v0.20.0/go.mod h1:${base64(43)}=`,
    `"zod@4.6.7": {\n  "integrity": "sha512-${base64(86)}=="\n},`,
    `"content-hash": "${hex(32)}",`,
    `  checksum: 10c0/${hex(128)}`,
  ],
};

/** Every text once. */
export const HELD_OUT_NEGATIVES: Negative[] = Object.entries(TEXTS).flatMap(([name, texts]) =>
  texts.map((text) => ({ class: name, text }))
);

/** The value that belongs to a name, where what stands around it is read another way at first sight. */

import { assertEquals } from "@std/assert";
import { redact } from "../../lib/redact/redact.ts";
import { scoreCases } from "./score.ts";
import { makeCases } from "./shapes.ts";

const CUT = {
  "set in capitals, which is no outcome of a test": [
    "USERNAME = 'bob'\n# one\n# two\nPASS = '@[{pw:10}]@'",
    'PASS="@[{an:9}7]@"',
  ],
  "with a blank before the closing mark": ["rev token - '@[{b64:27}=]@ '\nnext"],
  "with its own mark within": ["sirv token = '@[aB3#{an:8}&x'{an:9}^{an:4}~{an:6}!]@'"],
  "after a verb that is also the end of a name": ["password set to @[{pw:10}]@ today"],
  "in Base64, whose padding is no assignment": ["password: '@[{an:35}=]@'"],
  "in another pair, with others between": [
    'key     = "TOKEN"\n  masked  = true\n  value   = "@[{hex:32}]@"',
    '"name": "DB_PASSWORD", "type": "String", "value": "@[{word:1}]@"',
    "adminPassword:\n  value: @[{word:1}]@\n",
    "ParameterKey=DbPassword,ParameterValue=@[{pw:10}]@",
  ],
  "in parentheses and wrappers": [
    'password = ("@[{pw:10}]@")',
    'password := []byte("@[{pw:10}]@")',
    '{db_password, <<"@[{pw:10}]@">>}',
    '(password . "@[{pw:10}]@")',
    'let password: String? = "@[{pw:10}]@"',
    'let(:password) do\n  "@[{hex:32}]@"\nend',
  ],
  "after its user": [
    "Username: bob Password: @[{word:1}]@",
    "created user bob with password: @[{word:1}]@",
  ],
  "in place of one from elsewhere": [
    'process.env.DB_PASSWORD || "@[{pw:10}]@"',
    "'password' => env('X', '@[{pw:10}]@'),",
  ],
  "in an address without a path": ["https://a.example?apiToken=@[{hex:32}]@&b=1"],
  "of an object that is called request": ["request.refresh_token = '@[lsdkfhj230]@'"],
  "in a column of output": ["token               @[{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@\n"],
  "a word": [
    'os.getenv("DB_PASSWORD", "@[{word:1}]@")',
    "JWT_SECRET=@[correcthorsebattery]@\n",
    '"client_secret": "@[alongsecretofletters]@"',
  ],
  "with runs of zero bytes": [
    "PRIVATE_KEY = '@[b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAB{b64:20}]@'",
  ],
};

const STAYS = [
  "PASS: TestParse/valid_RFC3339 (0.00s)",
  '"integrity":"sha512-LT/5J605bx5SNyE+LMqZ+2pSw=="}},"3.0.6":{"version":"3.0.6"}',
  '  // "Patience is the key to success"\n  "UGF0aWVuY2UgaXMgdGhlIGtleQ",',
  "const token = 'first', rest = 'other'",
  "a password set is kept for each user",
  '<assemblyIdentity name="a" publicKeyToken="cc7b13ffcd2ddd51" />',
  'resource "azurerm_key_vault_secret" "second_2" {',
  '"Password": "contrase\u00f1a"',
  "Password = New-Object -TypeName Text",
  '<setting name="Password" serializeAs="String">',
  "Tokens: 130K-200K",
  '"com.example.1password.helper", "com.example.other"',
  'auth_username: "localuser2"',
];

Deno.test("redact() takes out the value of a name, whatever stands around it", () => {
  const scores = scoreCases(makeCases(CUT, { seed: 5, times: 20 }), redact);
  const missed = [...scores].filter(([, { caught, cases }]) => caught < cases);
  assertEquals(missed.map(([name, { leaks }]) => [name, leaks.map(({ text }) => text)]), []);
});

Deno.test("redact() leaves what only looks like the value of a name", () => {
  assertEquals(STAYS.filter((text) => redact(text) !== text), []);
});

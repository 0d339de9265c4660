// Command lines with a secret: flags of any tool, variables, and arguments of specific tools. Pure.

import { anyCase, type Rule } from "./rule.ts";
import { QUOTED, TOOL_RULES } from "./tools.ts";

const PROSE =
  "flags?|options?|arguments?|args?|parameters?|params?|values?|switch|is|was|are|to|and|or|the|an?|in|for|with|without|" +
  "when|if|from|on|as|instead|must|should|can|may|not|so|via|into|but|because|only|also|then|that|which|would|" +
  "will|has|have|takes?|requires?|sets?|uses?|works?|lets?|allows?|here|there|it|this|where|again|too";

/** From a flag to its argument on the same command line, but not to the next word of a sentence. */
const TO_ARGUMENT = String
  .raw`(?:=|[ \t]{1,4}(?:\\\n[ \t]{0,16})?(?!-|(?:${PROSE})\b|[a-z]{1,20}(?:[,.](?!\S)|[ \t][a-z]{1,20}[ \t][a-z]{1,20}\b)))`;

const FLAGS = [
  ..."-pass -pwd -token -secret -api -access -auth -private -credential -storepass -keypass".split(
    " ",
  ),
  ..."-rpcpass -requirepass -masterauth -bearer -pat= -pat\t".split(" "),
  "-pat ",
];

export const COMMAND_LINES: readonly Rule[] = [
  {
    kind: "command-line",
    keywords: FLAGS,
    pattern: anyCase(
      String
        .raw`\s--?(?!next-|starting-|page-|pagination-|continuation-|client-request-|(?:[a-z]{1,20}-)?(?:hide|show|no|with|without|skip|print|enable|disable)-)(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|passcode|pwd|token|secret|api-?key|apikey|access-?key|secret-?key|auth-?key|authkey|private-?key|credentials?|storepass|keypass|rpcpassword|requirepass|masterauth|bearer|pat)${TO_ARGUMENT}["']?([^\s"'\`|<>\\]{3,512})`,
    ),
    looks: "any",
    secret: [
      "run --token @[{an:20}]@ --all",
      "run -password=@[{pw:9}]@",
      "run --db-password \\\n  @[{pw:9}]@",
    ],
    ordinary: ["pass the --token option", "run --password $PASSWORD", "aws list --next-token abc"],
  },
  {
    kind: "command-line",
    keywords: FLAGS,
    pattern: anyCase(
      String
        .raw`\s--(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd|token|secret|api-?key|secret-?key)[ =](${QUOTED})`,
    ),
    looks: "any",
    secret: ['run --password "@[{word:1} {pw:8}]@" --all'],
    ordinary: ['run --password "$PASSWORD"'],
  },
  {
    kind: "command-line",
    keywords: ["-u", "-creds"],
    pattern: anyCase(
      String
        .raw`\s(?:-u|--user|--proxy-user|-U|--creds|-creds)[ =]{0,2}["']?(?!\+%)[^\s"':]{0,64}[:%]([^\s"'\`|<>\\]{3,256})`,
    ),
    looks: "any",
    secret: ["curl -u bob:@[{pw:9}]@ https://a", "curl --user 'bob:@[{an:12}]@' https://a"],
    ordinary: ["date -u +%Y-%m-%dT%H:%M:%SZ", "curl -u bob: https://a"],
  },
  {
    kind: "command-line",
    keywords: ["-u", "--proxy-user"],
    pattern: anyCase(
      String
        .raw`\s(?:-u|--user|--proxy-user)[ =]{0,2}(?:"[^"\n:]{0,64}"|'[^'\n:]{0,64}'|[^\s"':]{0,64}):(${QUOTED})`,
    ),
    looks: "any",
    secret: [
      'curl -u "bob":"@[{pw:9}]@" https://a',
      "curl --user bob:'@[{pw:9} {an:4}]@' https://a",
    ],
    ordinary: ['curl -u bob:"$PASSWORD" https://a'],
  },
  {
    kind: "command-line",
    keywords: ["-u", "--proxy-user"],
    pattern: /\s(?:-u|--user|--proxy-user)[ =]{0,2}(["'])[^"'\n:]{1,64}:([^"'\n]{3,256})(?=\1)/gi,
    looks: "any",
    secret: ["curl -u 'bob:@[{an:4} {pw:9}]@' https://a"],
    ordinary: ['curl -u "bob:$PASSWORD" https://a'],
  },
  ...TOOL_RULES,
  {
    kind: "command-line",
    keywords: ["sudo", "passwd", "login", "openssl", "gpg", "cryptsetup", "kinit"],
    pattern:
      /(?:\becho|\bprintf)\s{1,4}(?:-\w{1,3}\s{1,4})?["']?(?:[\w.-]{1,40}:)?([^\s"'`|<>\\$][^\s"'`|<>\\]{3,256})(?=\s{0,4}["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-S|chpasswd)|chpasswd|(?:vnc|smb)?passwd|kinit|(?:docker|podman|helm|gh|crane|oras)[^\n]{0,80}login|openssl(?! dgst)|gpg|cryptsetup))/gi,
    looks: "any",
    secret: ["echo @[{pw:9}]@ | sudo -S ls", "echo 'bob:@[{pw:9}]@' | chpasswd"],
    ordinary: ["echo $PASSWORD | docker login --password-stdin", "echo done | tee a"],
  },
  {
    kind: "command-line",
    keywords: ["-p"],
    // A password option of any tool, after a user.
    pattern:
      /\s(?:-[ulU]|-xu|--?(?:user|username|login))[ =]["']?[^\s"'-][^\s"']{0,63}["']? (?:[^\n|;&]{0,80}? )?(?:-xp|-[pP])[ =]?["']?([^\s"'`|<>-][^\s"'`|<>]{4,127})/g,
    looks: "chosen",
    secret: ["tool -u bob -h host -p @[{pw:9}]@", 'tool add --username bob -P "@[{pw:9}]@" host'],
    ordinary: ["docker run -u bob -p 127.0.0.1:80:80 image", "ps -u bob -p 1234"],
  },
  {
    kind: "command-line",
    keywords: ["send "],
    pattern: /\bsend (?:-- )?["']([^\s"']{5,128}?)(?=(?:\\r|\\n|\s){1,8}["'])/g,
    looks: "chosen",
    secret: ['expect "assword:"\nsend "@[{pw:9}]@\\r"'],
    ordinary: ['send "yes\\r"'],
  },
  {
    kind: "command-line",
    keywords: ["auth "],
    pattern: /(?:^|[>:] )AUTH (?:PLAIN |LOGIN |\w{1,30} )?([^\s"']{5,256})$/gm,
    looks: "chosen",
    secret: ["127.0.0.1:6379> AUTH @[{pw:9}]@", "C: AUTH PLAIN @[{b64:20}7]@"],
    ordinary: ["AUTH PLAIN", "AUTH required"],
  },
  {
    kind: "command-line",
    keywords: ["env "],
    pattern:
      /^[ \t]{0,8}ENV\s{1,4}\w{0,60}(?:PASS|PASSWORD|PASSWD|PWD|SECRET|TOKEN|API_?KEY)[ \t]{1,4}([^\s"'\\]{4,512})(?=[ \t]{0,8}\\?(?:\r?\n|$))/gm,
    looks: "password",
    secret: ["FROM a\nENV DB_PASS @[{word:1}]@\n"],
    ordinary: ["ENV DB_PASS $PASS"],
  },
  {
    kind: "command-line",
    keywords: ["password=", "passwd=", "pass=", "pwd="],
    pattern:
      /(?<=^|[\s"'?&;]|-[DPe])(?:[\w.-]{0,40}[_.-])?\w{0,20}(?:password|passwd|pass|pwd)=(?!\w{0,30}(?:pass|pwd))([A-Za-z]{5,64})(?=[\s"';&]|$)/gim,
    looks: "password",
    secret: ["vault kv put a password=@[{word:1}]@", "-e DB_PASSWORD=@[{word:1}]@ image"],
    ordinary: ["connect(user=u, password=word)", "f(password=db_pass)", "password=value"],
  },
  {
    kind: "command-line",
    keywords: ["setx ", "setenv ", "set -"],
    pattern:
      /\b(?:setx|setenv|set -g?x)\s{1,4}\w{0,60}(?:PASS|PASSWORD|PASSWD|PWD|SECRET|TOKEN|API_?KEY)\s{1,4}["']?([^\s"']{4,512})/gi,
    looks: "password",
    secret: ["setx DB_PASSWORD @[{word:1}]@", "set -gx API_TOKEN '@[{an:24}]@'"],
    ordinary: ["setenv PASSWORD $PASS", "setx PASSWORD %PASS%"],
  },
  {
    kind: "command-line",
    keywords: ["--from-literal"],
    pattern: anyCase(
      String.raw`--from-literal[ =]["']?[\w.-]{1,80}=(${QUOTED}|[^\s"'\`|<>\\]{3,512})`,
    ),
    looks: "any",
    secret: ["kubectl create secret generic a --from-literal=b=@[{pw:9}]@"],
    ordinary: ["kubectl create configmap a --from-literal=b=$B"],
  },
  {
    kind: "command-line",
    keywords: ["sqlplus ", "impdp ", "expdp ", "conn"],
    pattern:
      /\b(?:sqlplus|impdp|expdp|CONN(?:ECT)?(?= \w{1,64}\/\S{4,256}@)) [^\s/@]{1,64}\/([^\s"'@|<>]{4,256})/g,
    looks: "any",
    secret: ["sqlplus scott/@[{an:8}7]@@orcl", "CONNECT scott/@[{an:8}7]@@orcl"],
    ordinary: ["sqlplus /nolog"],
  },
  {
    kind: "command-line",
    keywords: ["echo", "printf"],
    // Output to a file with a name for secrets.
    pattern:
      /(?:\becho|\bprintf)\s{1,4}(?:-\w{1,3}\s{1,4})?["']?([^\s"'`|<>\\$]{5,256})(?=["']?\s{0,4}>{1,2}\s{0,4}[^\s;|&]{0,80}(?:pass(?!wd)|secret|token|credential|api[_-]?key))/g,
    looks: "chosen",
    secret: ["echo '@[{pw:9}]@' > /run/secrets/db_password", "echo @[{an:8}7]@ >> ~/.vault_pass"],
    ordinary: ["echo done > passed.txt", "echo $A > token"],
  },
  {
    kind: "command-line",
    keywords: ["pass ", "login "],
    // The commands of mail and file protocols.
    pattern:
      /(?:(?:^|[>:] |\bquote )USER \S{1,64}\r?\n(?:[^\n]{0,120}\n)?[^\nP]{0,40}\bPASS |\b[a-z]{0,4}\d{1,5} LOGIN "?[\w.@-]{1,64}"? "?)([^\s"]{4,128})(?="?\r?$)/gm,
    looks: "any",
    secret: ["USER bob\r\n331 a\r\nPASS @[{word:1}]@\r\n", "a1 LOGIN bob @[{pw:9}]@"],
    ordinary: ["USER bob\nPASS <password>", "PASS tests/a_2.test.js"],
  },
  {
    kind: "command-line",
    keywords: "cargo login|snyk auth|vault login|ngrok |nuget setapikey|-dsonar.login=|<<<"
      .split("|"),
    pattern:
      /\b(?:cargo login|snyk auth|vault login|ngrok (?:config add-)?authtoken|nuget setapikey|-Dsonar\.login=|(?:sudo -S|(?:login|helm)\b[^\n|;&]{0,80}? --(?:with-token|password-stdin)|\bpasswd(?: \S{1,64})?|\bkinit \S{1,80}) <<< ?)\s{0,4}["']?([^\s"'@|<>]{6,256})/g,
    looks: "chosen",
    secret: ["cargo login @[{an:32}]@", "sudo -S <<< @[{pw:9}]@"],
    ordinary: ["vault login interactively", "cargo login --registry"],
  },
  {
    kind: "command-line",
    pattern: /\s-[ptkwWP][ =]?["']?([A-Za-z0-9!@#$%^*_+.~-]{10,128})(?=["'\s]|$)/g,
    looks: "rare",
    secret: ["run -p @[{an:24}]@ a"],
    ordinary: ["mkdir -p packages/agent-x2", "run -t 2024-01-01T10"],
  },
];

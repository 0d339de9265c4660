/**
 * Command lines that hold a secret: flags of any tool, and places of single tools. Pure.
 *
 * @module
 */

import type { Rule } from "./rule.ts";

const PROSE =
  "flags?|options?|arguments?|args?|parameters?|params?|values?|switch|is|was|are|to|and|or|the|an?|in|for|with|without|" +
  "when|if|from|on|as|instead|must|should|can|may|not|so|via|into|but|because|only|also|then|that|which|would|" +
  "will|has|have|takes?|requires?|sets?|uses?|works?|lets?|allows?|here|there|it|this|where|again|too";
const QUOTED = String.raw`"[^"\n]{3,256}"|'[^'\n]{3,256}'`;
const ARGUMENT = String.raw`${QUOTED}|[^\s"'\`|<>\\-][^\s"'\`|<>\\]{2,256}`;

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

/** What is given to a tool: the source of what leads to the argument, and two examples. */
function tool(
  keywords: readonly string[],
  lead: string,
  { secret, ordinary }: { secret: string; ordinary: string },
): Rule {
  return {
    kind: "command-line",
    keywords,
    pattern: anyCase(String.raw`(?:${lead})["']?(${ARGUMENT})`),
    looks: "any",
    secret: [secret],
    ordinary: [ordinary],
  };
}

export const COMMAND_LINES: readonly Rule[] = [
  {
    kind: "command-line",
    keywords: FLAGS,
    pattern: anyCase(
      String
        .raw`\s--?(?!next-|starting-|page-|pagination-|continuation-|client-request-)(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|passcode|pwd|token|secret|api-?key|apikey|access-?key|secret-?key|auth-?key|authkey|private-?key|credentials?|storepass|keypass|rpcpassword|requirepass|masterauth|bearer|pat)${TO_ARGUMENT}["']?([^\s"'\`|<>\\]{3,512})`,
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
  {
    kind: "command-line",
    keywords: ["mysql", "mariadb", "mongo", "xtrabackup", "mycli"],
    pattern: new RegExp(
      String
        .raw`\b(?:mysql\w{0,10}|mariadb[\w-]{0,10}|mongo\w{0,10}|xtrabackup|mycli)\b[^\n|;&]{0,300}?\s-p ?(${ARGUMENT})`,
      "g",
    ),
    looks: "any",
    secret: ["mysql -u root -p@[{pw:9}]@ shop"],
    ordinary: ["mysql -u root -p -h db"],
  },
  tool(
    ["login"],
    String
      .raw`\b(?:docker|podman|helm|buildah|skopeo|oras|az|oc|cf|registry|ibmcloud|nerdctl|crane)\b[^\n|;&]{0,80}?\blogin\b[^\n|;&]{0,200}?\s-p[ =]`,
    { secret: "docker login -u bob -p @[{pw:9}]@ host", ordinary: "docker login -u bob host" },
  ),
  tool(["unseal"], String.raw`\bvault\s{1,4}operator\s{1,4}unseal\s{1,4}`, {
    secret: "vault operator unseal @[{b64:44}]@",
    ordinary: "vault operator unseal -address=a",
  }),
  tool(["wpa_passphrase"], String.raw`\bwpa_passphrase\s{1,4}\S{1,64}\s{1,4}`, {
    secret: "wpa_passphrase net @[{pw:9}]@",
    ordinary: "wpa_passphrase net > a.conf",
  }),
  tool(["sshpass"], String.raw`\bsshpass\s{1,4}-p ?`, {
    secret: "sshpass -p @[{pw:9}]@ ssh host",
    ordinary: "sshpass -e ssh host",
  }),
  tool(["-cli"], String.raw`\b(?:redis|keydb)-cli\b[^\n|;&]{0,200}?\s-a `, {
    secret: "redis-cli -h db -a @[{pw:9}]@ ping",
    ordinary: "redis-cli -h db ping",
  }),
  tool(["ldap"], String.raw`\bldap\w{1,12}\b[^\n|;&]{0,200}?\s-w `, {
    secret: "ldapsearch -D cn=a -w @[{pw:9}]@ -b dc=b",
    ordinary: "ldapsearch -D cn=a -W -b dc=b",
  }),
  tool(["7z"], String.raw`\b7za? [^\n|;&]{0,100}?-p`, {
    secret: "7z x -p@[{pw:9}]@ a.7z",
    ordinary: "7z x a.7z",
  }),
  tool(["zip"], String.raw`\b(?:un)?zip\b[^\n|;&]{0,100}?\s-P `, {
    secret: "unzip -P @[{pw:9}]@ a.zip",
    ordinary: "unzip -q a.zip",
  }),
  tool(["openssl"], String.raw`\bopenssl\b[^\n|;&]{0,200}?(?:\bpass:|\s-k )`, {
    secret: "openssl enc -pass pass:@[{pw:9}]@ -in a",
    ordinary: "openssl enc -in a -out b",
  }),
  tool(
    ["htpasswd"],
    String.raw`\bhtpasswd\s{1,4}-\w{0,6}b\w{0,6}\s{1,4}(?:\S{1,80}\s{1,4})?\S{1,64}\s{1,4}`,
    { secret: "htpasswd -cb file bob @[{pw:9}]@", ordinary: "htpasswd -c file bob" },
  ),
  tool(["plink", "pscp", "psftp"], String.raw`\b(?:plink|pscp|psftp)\b[^\n|;&]{0,200}?\s-pw `, {
    secret: "plink -ssh bob@host -pw @[{pw:9}]@ ls",
    ordinary: "plink -ssh bob@host ls",
  }),
  tool(["rar"], String.raw`\b(?:un)?rar\b[^\n|;&]{0,100}?\s-h?p`, {
    secret: "rar a -hp@[{pw:9}]@ a.rar b",
    ordinary: "rar a a.rar b",
  }),
  tool(["sqlcmd", "bcp", "isql"], String.raw`\b(?:sqlcmd|bcp|isql)\b[^\n|;&]{0,200}?\s-P ?`, {
    secret: "sqlcmd -S db -U sa -P @[{pw:9}]@",
    ordinary: "sqlcmd -S db -E",
  }),
  tool(["mosquitto_"], String.raw`\bmosquitto_\w{3}\b[^\n|;&]{0,200}?\s-P `, {
    secret: "mosquitto_pub -u a -P @[{pw:9}]@ -t b",
    ordinary: "mosquitto_pub -t b -m c",
  }),
  tool(
    ["rabbitmqctl"],
    String.raw`\brabbitmqctl\s{1,4}(?:add_user|change_password)\s{1,4}\S{1,64}\s{1,4}`,
    { secret: "rabbitmqctl add_user bob @[{pw:9}]@", ordinary: "rabbitmqctl list_users" },
  ),
  tool(["net user", "net  user", "net\tuser"], String.raw`\bnet\s{1,4}user\s{1,4}\S{1,64}\s{1,4}`, {
    secret: "net user bob @[{pw:9}]@ /add",
    ordinary: "the net user count",
  }),
  tool(["psexec", "rdesktop"], String.raw`\b(?:psexec|rdesktop)\b[^\n|;&]{0,200}?\s-p `, {
    secret: "psexec \\\\host -u bob -p @[{pw:9}]@ cmd",
    ordinary: "psexec \\\\host cmd",
  }),
  tool(["ssh-keygen"], String.raw`\bssh-keygen\b[^\n|;&]{0,200}?\s-[NP] `, {
    secret: "ssh-keygen -t ed25519 -N @[{pw:9}]@ -f a",
    ordinary: 'ssh-keygen -t ed25519 -N "" -f a',
  }),
  tool(
    ["secret"],
    String.raw`\bsecret\s{1,4}set\s{1,4}\S{1,80}[^\n|;&]{0,100}?\s(?:--body|-b)[ =]`,
    { secret: "gh secret set A --body @[{pw:9}]@", ordinary: "gh secret set A --body $A" },
  ),
  tool(["chpasswd"], String.raw`\bchpasswd\b[^\n]{0,40}?\S{1,40}:`, {
    secret: "chpasswd <<< bob:@[{pw:9}]@",
    ordinary: "chpasswd < file",
  }),
  {
    kind: "command-line",
    keywords: ["sudo", "passwd", "login", "openssl", "gpg", "cryptsetup"],
    pattern:
      /(?:\becho|\bprintf)\s{1,4}(?:-\w{1,3}\s{1,4})?["']?(?:[\w.-]{1,40}:)?([^\s"'`|<>\\$][^\s"'`|<>\\]{3,256})(?=["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-S|chpasswd)|chpasswd|passwd|(?:docker|podman|helm|gh|crane|oras)[^\n]{0,80}login|openssl|gpg|cryptsetup))/gi,
    looks: "any",
    secret: ["echo @[{pw:9}]@ | sudo -S ls", "echo 'bob:@[{pw:9}]@' | chpasswd"],
    ordinary: ["echo $PASSWORD | docker login --password-stdin", "echo done | tee a"],
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
    keywords: [
      ..."cargo login|snyk auth|vault login|ngrok |nuget setapikey|lftp -u |sqlplus |xfreerdp |cmdkey "
        .split("|"),
      ..."http -a |https -a |-dsonar.login=|sudo -s <<<|net use ".split("|"),
    ],
    pattern:
      /\b(?:cargo login|snyk auth|vault login|ngrok (?:config add-)?authtoken|nuget setapikey|lftp -u \S{1,64},|sqlplus \S{1,64}\/|xfreerdp [^\n]{0,100}?\/p:|cmdkey [^\n]{0,100}?\/pass:|https? -a \S{1,64}:|-Dsonar\.login=|sudo -S <<< ?|net use [^\n]{0,80}?\/user:\S{1,64} )\s{0,4}["']?([^\s"'@|<>]{6,256})/g,
    looks: "chosen",
    secret: ["cargo login @[{an:32}]@", "sqlplus scott/@[{an:8}7]@@orcl"],
    ordinary: ["vault login interactively", "cargo login --registry"],
  },
  {
    kind: "command-line",
    pattern: /\s-[ptkwWP][ =]?["']?([A-Za-z0-9!@#$%^*_+.~-]{10,128})(?=["'\s]|$)/g,
    looks: "random-no-name",
    secret: ["run -p @[{an:24}]@ a"],
    ordinary: ["mkdir -p packages/agent-x2", "run -t 2024-01-01T10"],
  },
];

function anyCase(source: string): RegExp {
  return new RegExp(source, "gi");
}

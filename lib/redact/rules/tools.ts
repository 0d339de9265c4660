// Arguments of specific tools, after a flag that has another meaning in other tools. Pure.

import type { Rule } from "./rule.ts";

/** Matches an argument in quotation marks. */
export const QUOTED = String.raw`"[^"\n]{3,256}"|'[^'\n]{3,256}'`;
const ARGUMENT = String.raw`${QUOTED}|[^\s"'\`|<>\\-][^\s"'\`|<>\\]{2,256}`;

export const TOOL_RULES: readonly Rule[] = [
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
  tool(
    "crackmapexec|netexec|nxc |evil-winrm|cqlsh|racadm|ncftp|certutil|usermod|useradd".split("|"),
    String
      .raw`\b(?:crackmapexec|netexec|nxc|evil-winrm|cqlsh|racadm|ncftp\w{0,4}|certutil|usermod|useradd)\b[^\n|;&]{0,200}?\s-p `,
    { secret: "evil-winrm -i host -u bob -p @[{pw:9}]@", ordinary: "cqlsh host -u bob" },
  ),
  tool(["ipmitool"], String.raw`\bipmitool\b[^\n|;&]{0,200}?\s-P `, {
    secret: "ipmitool -H h -U bob -P @[{pw:9}]@ sdr",
    ordinary: "ipmitool -H h sdr",
  }),
  tool(["schtasks", "signtool"], String.raw`\b(?:schtasks|signtool)\b[^\n|;&]{0,200}?\s\/r?p `, {
    secret: "schtasks /create /ru bob /rp @[{pw:9}]@",
    ordinary: "schtasks /query /fo list",
  }),
  tool(["mysqladmin", "nmcli"], String.raw`\b(?:mysqladmin|nmcli)\b[^\n|;&]{0,200}?\spassword `, {
    secret: "nmcli dev wifi connect net password @[{pw:9}]@",
    ordinary: "mysqladmin -u root password",
  }),
  tool(
    "lftp -u |freerdp |cmdkey |http -a |https -a |xh -a |wmic |net use ".split("|"),
    String
      .raw`\b(?:lftp -u [^\s,]{1,64},|[xw]freerdp [^\n]{0,100}?\/p:|cmdkey [^\n]{0,100}?\/pass[: ]|(?:https?|xh) -a [^\s:]{1,64}:|wmic [^\n]{0,100}?\/password:|net use [^\n]{0,80}?\/u(?:ser)?:\S{1,64} )`,
    { secret: "xfreerdp /u:bob /p:@[{pw:9}]@", ordinary: "xfreerdp /u:bob /v:host" },
  ),
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
  tool(
    ["net use", "net  use"],
    String
      .raw`\bnet\s{1,4}use\s{1,4}(?:[\w*]:?\s{1,4})?(?:\\\\|https?:)\S{1,120}\s{1,4}(?=\S{3,256}\s{1,4}\/u)`,
    { secret: "net use Z: \\\\host\\a @[{pw:9}]@ /user:bob", ordinary: "net use Z: \\\\host\\a" },
  ),
  tool(["smbclient"], String.raw`\bsmbclient\b[^\n|;&]{0,100}?[\/\\]{2}\S{1,120}\s{1,4}`, {
    secret: "smbclient -U bob //host/a @[{pw:9}]@",
    ordinary: "smbclient -U bob //host/a -c ls",
  }),
  tool(["slappasswd", "ldappasswd"], String.raw`\b(?:slap|ldap)passwd\b[^\n|;&]{0,200}?\s-s `, {
    secret: "slappasswd -s @[{pw:9}]@",
    ordinary: "slappasswd -h {SSHA}",
  }),
  tool(
    ["openssl passwd", "mkpasswd"],
    String
      .raw`\b(?:openssl passwd|mkpasswd)(?: --?(?:(?:salt|S|m|method)[ =][\w.\/-]{1,32}|\w{1,8})(?= )){1,4} `,
    { secret: "openssl passwd -6 -salt ab @[{pw:9}]@", ordinary: "openssl passwd -6 -stdin" },
  ),
  tool(
    ["<<<"],
    String
      .raw`\b(?:kinit|passwd|smbpasswd|sudo -S|luks\w{3,10}|passphrase-fd \d|password-stdin)\b[^\n|;&]{0,120}?<<<\s{0,2}`,
    { secret: "kinit bob <<< @[{pw:9}]@", ordinary: "kinit bob <<< $PASSWORD" },
  ),
  tool(["snmp"], String.raw`\bsnmp[a-z]{2,8}\b[^\n|;&]{0,200}?\s-[cAX] `, {
    secret: "snmpwalk -v2c -c @[{pw:9}]@ host",
    ordinary: "snmpwalk -v2c -c public host",
  }),
  tool(["http-basic."], String.raw`\bcomposer config [^\n]{0,60}?http-basic\.\S{1,100} \S{1,64} `, {
    secret: "composer config http-basic.host bob @[{pw:9}]@",
    ordinary: "composer config http-basic.host",
  }),
  tool(
    ["reg add", "netsh wlan", "wifi-sec.psk", "iwconfig", "--encrypt "],
    String
      .raw`\b(?:reg add [^\n]{0,200}?\/v "?\w{0,30}(?:password|pwd)"? [^\n]{0,60}?\/d |netsh wlan [^\n]{0,120}?\bkey=|wifi-sec\.psk |iwconfig \w{1,16} key (?:s:)?|qpdf [^\n]{0,100}?--encrypt )`,
    { secret: "netsh wlan set ssid=a key=@[{pw:9}]@", ordinary: "iwconfig wlan0 key off" },
  ),
  tool(["chpasswd"], String.raw`\bchpasswd\b[^\n]{0,40}?\S{1,40}:`, {
    secret: "chpasswd <<< bob:@[{pw:9}]@",
    ordinary: "chpasswd < file",
  }),
];

/** Returns a rule for an argument of a tool, from the source of the text before the argument and two examples. */
function tool(
  keywords: readonly string[],
  lead: string,
  { secret, ordinary }: { secret: string; ordinary: string },
): Rule {
  let pattern: RegExp | undefined;
  return {
    kind: "command-line",
    keywords,
    // Built on first use, because most tools never occur.
    get pattern() {
      return pattern ??= new RegExp(String.raw`(?:${lead})["']?(${ARGUMENT})`, "gi");
    },
    looks: "any",
    secret: [secret],
    ordinary: [ordinary],
  };
}

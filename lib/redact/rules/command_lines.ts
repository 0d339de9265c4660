/**
 * Command lines that hold a secret: flags of any tool, and places of single tools. Data. Pure.
 *
 * @module
 */

import type { Structure } from "./context_rule.ts";

const PROSE =
  "flags?|options?|arguments?|args?|parameters?|params?|values?|switch|is|was|are|to|and|or|the|an?|in|for|with|without|" +
  "when|if|from|on|as|instead|must|should|can|may|not|so|via|into|but|because|only|also|then|that|which|would|" +
  "will|has|have|takes?|requires?|sets?|uses?|works?|lets?|allows?|here|there|it|this|where|again|too";
const QUOTED = String.raw`"[^"\n]{3,256}"|'[^'\n]{3,256}'`;
const ARGUMENT = String.raw`${QUOTED}|[^\s"'\`|<>\\-][^\s"'\`|<>\\]{2,256}`;

/** From a flag to its argument on the same command line, but not to the next word of a sentence. */
const TO_ARGUMENT = String
  .raw`(?:=|[ \t]{1,4}(?:\\\n[ \t]{0,16})?(?!-|(?:${PROSE})\b|[a-z]{1,20}(?:[,.](?!\S)|[ \t][a-z]{1,20}[ \t][a-z]{1,20}\b)))`;

/** See {@linkcode Structure}. */
export const COMMAND_LINES: readonly Structure[] = [
  {
    kind: "command-line",
    pattern: new RegExp(
      String
        .raw`(\s--?(?!next-|starting-|page-|pagination-|continuation-|client-request-)(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|passcode|pwd|token|secret|api-?key|apikey|access-?key|secret-?key|auth-?key|authkey|private-?key|credentials?|storepass|keypass|rpcpassword|requirepass|masterauth|bearer|pat)${TO_ARGUMENT}["']?)([^\s"'\`|<>\\]{3,512})`,
      "gi",
    ),
    accepts: "any",
  },
  {
    kind: "command-line",
    pattern:
      /(\s--(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd|token|secret|api-?key|secret-?key)[ =])("[^"\n]{3,256}"|'[^'\n]{3,256}')/gi,
    accepts: "any",
  },
  {
    kind: "command-line",
    pattern: new RegExp(
      String
        .raw`(\s(?:-u|--user|--proxy-user|-U|--creds|-creds)[ =]{0,2}["']?(?!\+%)[^\s"':]{0,64}[:%])([^\s"'\`|<>\\]{3,256})`,
      "gi",
    ),
    accepts: "any",
  },
  {
    kind: "command-line",
    pattern: new RegExp(
      String
        .raw`(\b(?:mysql\w{0,10}|mariadb[\w-]{0,10}|mongo\w{0,10}|xtrabackup|mycli)\b[^\n|;&]{0,300}?\s-p ?)(${ARGUMENT})`,
      "g",
    ),
    accepts: "any",
  },
  {
    kind: "command-line",
    pattern: new RegExp(
      String
        .raw`((?:\b(?:docker|podman|helm|buildah|skopeo|oras|az|oc|cf|registry|ibmcloud|nerdctl|crane)\b[^\n|;&]{0,80}?\blogin\b[^\n|;&]{0,200}?\s-p[ =]|\bsshpass\s{1,4}-p ?|\b(?:redis|keydb)-cli\b[^\n|;&]{0,200}?\s-a |\bldap\w{1,12}\b[^\n|;&]{0,200}?\s-w |\b7za? [^\n|;&]{0,100}?-p|\b(?:un)?zip\b[^\n|;&]{0,100}?\s-P |\bopenssl\b[^\n|;&]{0,200}?(?:\bpass:|\s-k )|\bhtpasswd\s{1,4}-\w{0,6}b\w{0,6}\s{1,4}(?:\S{1,80}\s{1,4})?\S{1,64}\s{1,4}|\b(?:plink|pscp|psftp)\b[^\n|;&]{0,200}?\s-pw |\b(?:un)?rar\b[^\n|;&]{0,100}?\s-h?p|\b(?:sqlcmd|bcp|isql)\b[^\n|;&]{0,200}?\s-P ?|\bmosquitto_\w{3}\b[^\n|;&]{0,200}?\s-P |\brabbitmqctl\s{1,4}(?:add_user|change_password)\s{1,4}\S{1,64}\s{1,4}|\bnet\s{1,4}user\s{1,4}\S{1,64}\s{1,4}|\bpsexec\b[^\n|;&]{0,200}?\s-p |\bssh-keygen\b[^\n|;&]{0,200}?\s-[NP] |\bsecret\s{1,4}set\s{1,4}\S{1,80}[^\n|;&]{0,100}?\s(?:--body|-b)[ =]|\bchpasswd\b[^\n]{0,40}?\S{1,40}:)["']?)(${ARGUMENT})`,
      "gi",
    ),
    accepts: "any",
  },
  {
    kind: "command-line",
    pattern:
      /((?:\becho|\bprintf)\s{1,4}(?:-\w{1,3}\s{1,4})?["']?(?:[\w.-]{1,40}:)?)([^\s"'`|<>\\$][^\s"'`|<>\\]{3,256})(?=["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-S|chpasswd)|chpasswd|passwd|(?:docker|podman|helm|gh|crane|oras)[^\n]{0,80}login|openssl|gpg|cryptsetup))/gi,
    accepts: "any",
  },
  {
    kind: "command-line",
    pattern:
      /(--from-literal[ =]["']?[\w.-]{1,80}=)("[^"\n]{3,256}"|'[^'\n]{3,256}'|[^\s"'`|<>\\]{3,512})/gi,
    accepts: "any",
  },
  {
    kind: "command-line",
    pattern:
      /(\b(?:cargo login|snyk auth|vault login|ngrok (?:config add-)?authtoken|nuget setapikey|lftp -u \S{1,64},|sqlplus \S{1,64}\/|xfreerdp [^\n]{0,100}?\/p:|cmdkey [^\n]{0,100}?\/pass:|https? -a \S{1,64}:|-Dsonar\.login=|sudo -S <<< ?|net use [^\n]{0,80}?\/user:\S{1,64} )\s{0,4}["']?)([^\s"'@|<>]{6,256})/g,
    accepts: "chosen",
  },
  {
    kind: "command-line",
    pattern: /(\s-[ptkwWP][ =]?["']?)([A-Za-z0-9!@#$%^*_+.~-]{10,128})(?=["'\s]|$)/g,
    accepts: "strict",
  },
];

// Patterns for values that stand alone, and for the text before them that marks them as a secret or as something
// else. Pure.

import type { Rule } from "./rule.ts";

export const LONE = {
  /** A value that has a letter and a digit, changes its case repeatedly, or is a long number. */
  mixed:
    /^(?=[^A-Za-z]{0,80}[A-Za-z])[^0-9]{0,80}[0-9]|^[0-9]{24,}$|^[^0-9]{0,80}[a-z][A-Z][^0-9]{1,80}[a-z][A-Z][^0-9]{1,80}[A-Z]/,
  /** The form of hashes and ids, but also of many services' keys. */
  hash: /^(?:0x)?(?:[0-9a-fA-F]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/,
  /**
   * Values known to be something else: checksums, ids that sort by time, security advisories, addresses of coins,
   * times, versions; signatures and public keys in DER, node ids and cursors of GitHub, zones of Route 53,
   * durations, paths of SVG; and names that machines give to agentx clarifications.
   */
  known:
    /^(?:[MN]E[QUY]CI[A-Za-z0-9+\/]|MFkwEwYHKo|wNI9aj|[A-Z]{1,5}_kw[A-Za-z0-9_-]|Y3Vyc29y|[0-9a-v]{12}[-.][0-9a-f]{16}$|Z[0-9A-Z]{12,22}$|(?:\d{1,4}(?:ms|[hms])\/?){2,12}$|AAECAwQF|(?:[a-z0-9]{2,8}\/){2,9}[a-z0-9]{2,8}$|PL[\w-]{32}$|RW[A-Za-z0-9+\/]{54}$|[MmLlHhVvCcSsQqTtAaZz]?-?[\d.]{1,9}(?:[MmLlHhVvCcSsQqTtAaZz][\d.-]{0,20}){3,99}$|[^-]{0,80}-{4}|[A-Z][A-Z0-9_]{0,80}:-|(?:ECDH|PBES2|RSA|HMAC|AES)-|AAAA(?:[BC]3Nza|E2Vj|GnNr)|[0-9a-f]{1,8}-[A-Za-z0-9+\/]{27}$|sha\d{1,3}-|SHA256:|h1:|MI[IGH][A-Za-z0-9+\/]|GHSA-|CVE-|[13](?=[a-z1-9]{0,32}[A-Z])(?=[A-Z1-9]{0,32}[a-z])[1-9A-HJ-NP-Za-km-z]{25,33}$|bc1[a-z0-9]{38,58}$|[a-z][a-z-]{1,40}-[bcdf-hj-np-tv-xz24-9]{8,10}(?:-[bcdf-hj-np-tv-xz24-9]{5})?$|c[j-m][a-z0-9]{23}$|age1[a-z0-9]{58}$|(?:[A-Za-z]{1,2}\d){8,255}$|[0-7][0-9A-HJKMNP-TV-Z]{25}$|v?\d+\.\d+\.\d|(?:0x[0-9a-f]+\.){2}|\d{4}-\d\d-\d\d|-?P(?:-?\d{1,4}[YMWD]){1,4}(?:T|$)|(?:brainpool|secp|sect|prime|c2pnb|c2tnb)\w?\d{3}[a-z]\w{1,3}$|0x[0-9a-fA-F]{6,16}L$|PBKDF2|PKCS\d|[Mm]-?\d{1,5}(?:\.\d{1,5})?(?:%20|,)|[a-z0-9]{2,40}-\d{1,4}(?:\.\d{1,4}){1,3}$|[a-z0-9-]{2,60}(?:\.[a-z0-9-]{2,60}){0,4}\.(?:com|io|net|org)(?::\d{2,5})?$)/,
  /** A value with the length of a digest or a random id, in Base64 or Base32. */
  digest64:
    /^[A-Za-z0-9+/]{22}==$|^[A-Za-z0-9+/]{27}=$|^[A-Za-z0-9+/]{43}(?:=|%3D)$|^[A-Za-z0-9+/]{86}==$|^[\w-]{21}$|^(?:\d{2,5}:)?[\w-]{22}$|^[A-Z2-7]{14,1022}={1,2}$/,
  name:
    /^(?!(?:[^0-9]{0,99}[0-9]{1,9}){3})(?=.{0,99}(?:[a-z][0-9]?[A-Z]|_[A-Za-z]))[A-Za-z_$][\w$.:]*$/,
  snakeCase: /^[a-z][a-z0-9]{0,9}(?:_[a-z][a-z0-9]{0,9}){2,6}$/,
  base64: /^base64:/,
  /** A line of a certificate in code, or a variable that is declared with its type. */
  declared:
    /^[A-Za-z0-9+/]{60,76}(?: \n|\\n)["']|^[a-z]\w{1,40} = (?:new )?\w|^[A-Z]\w{1,40} \{ get;/,
  /** An id that begins with a word for its kind. */
  id: /^[a-z]{2,16}[_-]|^[A-Za-z]{0,80}[.\/:]|:[a-z-]{3,40}$/,
  /**
   * A token with a prefix, as many services have them. The capture is the text after the prefix. Certificates have no
   * such marks.
   */
  prefixed:
    /^(?:[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][a-z][a-z0-9]{1,9}){0,2}[_-](?=[A-Za-z0-9]{30})|(?=[A-Za-z0-9_-]{40})(?=[A-Za-z0-9]{0,99}[_-])(?!.{0,99}(?:secret|SECRET|token|TOKEN|key|KEY)[_-])|(?=[\w-]{22,28}\.[\w-]{6}\.[\w-]{25,40}$))(?=[^A-Z]{0,99}[A-Z])(?=[^a-z]{0,99}[a-z])(?=[^0-9]{0,99}[0-9])([A-Za-z0-9_.-]{30,255}={0,2})$/,
  /** Prefixes of ids, which open nothing. */
  idPrefix:
    /^(?:toolu?|call|msg|req|resp|run|rs|fc|ws|chatcmpl|cmpl|gen|batch|file|thread|asst|vs|ft|step|cntr|item|srvtoolu|id|uid|session|sess|trace|span|build|chunk|index|main|vendor|app|assets?|css|sc|cache|hash|rev|commit|sha\d{0,3}|v\d{1,3}|ge-flow-animation)[_-]/i,
  /** Text in UTF-8. Bytes of a binary format, such as lengths, may stand before and after it. */
  text:
    /^(?:[^\t\n\r -\xff]{0,2}(?:[\t\n\r -~]|[\xc2-\xf4][\x80-\xbf]{1,3})){6,800}[^\t\n\r -\xff]{0,2}$/,
  /** A quotation mark before or after the value. The capture is the text between the mark and the value. */
  quoteBefore: /["'`]([^\s"'`\\A-Za-z0-9=:/]{0,8})$/,
  quoteAfter: /^([^\s"'`\\=:/]{0,60})["'`]/,
  /** A run that is longer than words. */
  run: /[A-Za-z0-9+/]{24}/,
  words: /[a-z0-9]+/g,
  keyWord:
    /(?:^| |[a-z])(?:keys?|tokens?|secret|passw(?:or)?d|api ?keys?|auth|credentials?|access|private)(?: |$)/,
  /** Words that exempt a value, including as the end of a longer word: `sessionid`, `commitsha`. */
  exemptWord:
    /(?:^|[a-z0-9])(?:uuids?|guids?|nanoids?|[cx]uids?|xids?|ghsa|cve|encoded|(?:en)?crypted(?:text|value)?|sha\d{0,3}(?:sum)?|md5(?:sum)?|(?:sha\d{0,3}|md5)base64(?:url)?|hash(?:es)?|commits?|digests?|checksums?|fingerprint)$|(?:^|session|request|parent|message|thread|tool|call|trace|span|user|client|account|project|team|org|app|build|run|job|task|event|object|record|device)ids?$|^(?:accept|delivery|verification|pubkey|[a-z]?u?lid|cuid\d?|ksuid|kty|x5[ct]|challenge|integrity|etag|rev(?:ision)?|versions?|public|pub|nonce|branch|image|tag|session|trace|span|request|parent|cache|cachekey|primary|partition|foreign|foreignkey(?:name)?|sort|row|group|routing|entity|dedupe|lookup|unique|query|page|next|(?:next|start|starting|page|sync|lock|change|continuation|sequence)token|sync|cancel|csrf|xsrf|lock|device|continuation|pagination|idempotency|signature|ref|index|merge|tree|blob|base64|data|url|file|org)$/,
  /** The end of a name such as `NPM_TOKEN=`, which shows the kind of the secret. */
  keyOf:
    /(?:login|licen[cs]e|oauth|vault)["'\])]{0,2}\s{0,4}(?::=|[:=]|=>)[\s"'`]{0,4}$|[A-Za-z0-9][_-](?:token|secret|(?:api|access)?[_-]?key)["'\])]{0,2}\s{0,4}(?::=|[:=]|=>)[\s"'`]{0,4}$|\b(?:github|gitlab|npm|docker|slack|stripe|square)(?:[_-](?:token|secret|key|pat)[ \t]|\s{0,2}[:=]\s{0,2}["'][\w.-]{8,40}["'],\s{0,2}["'])$|[a-z][_-]?(?:access|secret|private|token)(?:-(?:token|key))?[-_.]$/i,
  /** Key words in upper case, which sentences do not have. */
  loudKeyOf: /[A-Za-z0-9]{3}[ _-]?[A-Z]{0,6}(?:ACCESS|PRIVATE|SECRET|TOKEN)[A-Z]{0,6}[ \t]$/,
  exemptLead:
    /(?:\bh1:|\.(?:[jt]sx?|mjs|css|html|svg|png|wasm|md)["']\s{0,4}:\s{0,4}["']|;base64,|(?:sha|SHA)\d{1,3}[-:=]|\/|-----[ \t]{0,4}|\.git["')]? |(?:accept|websocket-key)["'`, :=>]{1,8}|\b(?:[ne]|[xy]\\?)["']?\s{0,4}:\s{0,4}\\?["'])$|(?<!(?:[Kk]ey|KEY|[Tt]oken|[Ss]ecret|[Aa]ccess)[_-]?)(?:[a-z]I[dD]|[_-]id)s?\\{0,3}["'`\])]{0,2}\s{0,4}(?:[:=]|=>)\s{0,40}(?:[\w.]{1,40}\()?\\{0,3}["'`]?$/,
  /** The start of a parameter in an address. */
  parameter: /[?&][a-z_-]{1,20}=$/i,
  /** The text around a value that is alone on its line. */
  margin: /^[\s>`"'*,;-]{0,5}$/,
  /** A line that belongs to a block of values. */
  body: /[A-Za-z0-9+/]{24}|-----/,
  /** A mark within a value, before its secret part. */
  tells: /(?:access|secret|private|token)[-_.]/i,
  /** A pair of a name and a value: the text before the pair, and its name. */
  beforePair: /^[\s>*-]{0,5}$|["'`]$/,
  ofPair: /^[A-Za-z][\w.-]{1,40}:(?=[\w-]{20,255}$)/,
  /** Repeated zero bytes in Base64. They show a structure with fields, which is not a random value. */
  zeros: /^(?:(?:[^A]|A(?!A)){0,200}AA){3}/,
  assigned:
    /(?:[:=]|=>)[\s"'`([{]{0,4}$|["'`]$|[A-Za-z0-9]{2}[:,]?[ \t]$|\|[ \t]{1,4}$|[A-Za-z]{2}:$/,
  nameEnd: /(?:private|access|secret|token|auth|api|key|id|client|user|app|samplekey)+$/,
};

export const LONE_VALUES: readonly Rule[] = [
  {
    kind: "key",
    reads: "value",
    pattern:
      /(?<![A-Za-z0-9_+/.%@#$~^*&?\\-])[A-Za-z0-9_][A-Za-z0-9_+/.:~!%-]{10,1022}(?<![.!%~:-])={0,2}(?![A-Za-z0-9_+/@~(\[-])/g,
    secret: [
      "algolia : @[{hex:32}]@",
      "beeboleAuth := @[{low:40}]@",
      'config.sender = "@[{an:40}]@"',
      "Using confluent ACCESS @[{low:32}]@",
      "acme SECRET @[{hex:32}]@",
      'algoliaKey := "@[({an:12}%{an:12}7&#{an:5})]@"',
      "see @[zqx_{an:40}]@ there",
      "try this one:\n\n@[{an:32}7]@\n\nthanks",
      "bob:@[{an:32}7]@",
      "| client | @[{an:32}7]@ |",
      'SONAR_LOGIN = "@[{hex:40}]@"',
      "see @[zqx-ab12_{an:48}]@ there",
      "see @[{an:20}_{an:22}-{an:20}]@ there",
      "The algolia key:\n\n    @[{an:32}]@\n",
      'message-bird_key = "@[{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@"',
    ],
    ordinary: [
      "cache key = d41d8cd98f00b204e9800998ecf8427e",
      'id: "01HV7Q2M4Z8T6K9J3N5P0R1S2W"',
      "stripe commit d41d8cd98f00b204e9800998ecf8427e",
      'name = "application/vnd.3gpp.gtpc"',
      "ech=AED+DQA8PAAgACD8WhlS7VwEt5bf3lekhHvXrQBGDrZh03n/LsNtAodbUAAEAAEAAQANY292ZXIuZGVmby5pZQAA",
      "toolu_01k7Qw2xT9Zr4mBv8aB3dE5fG7h",
      "name: ec2_vpc_igw_info",
      "curve = 'brainpoolP256r1'",
      'setClusterId("k7Qw2xT9Zr4mBv8aB3dE5f")',
      "voter 1@localhost:8020:Zr4mBv8aB3dE5fk7Qw2xT9",
      '"yIK3Du5/GlA5vvB+wjR/Bm7Qj13HUSRH40BDAAJrblRVlKBlaF1kxJgLuNRUSoch\\n" +',
      '"meta_node_id":          Value("bvtjl7pnrtg0k88ywialsldpd")',
      "long multiplier = 0x5DEECE66DL;",
      'TopicPartition t1p0changelog = new TopicPartition("changelog", 0);',
      "animation: ge-flow-animation-q2F35Uav3r8_BdWldZr4mBv8aB3dE5fG7h",
      "property: base64:SGVsbG8gV29ybGQ=",
      "P1Y1M1DT1H P-1Y-2M3DT-4H-5M-6S",
      "document automerge:zWC2791EpvfEbzW6nQJe5yyWvY8",
      "see index-k7Qw2xT9Zr4mBv8aB3dE5fG7hQw2xT9Zr4.js",
      "resp_68c1f2a3b4d5e6f708192a3b4c5d6e7f8091a2b3c4d5",
      '"guardian.ts"},"toolUseID":"toolu_01k7Qw2xT9Zr4mBv8aB3dE5f"',
      "npm notice shasum: d41d8cd98f00b204e9800998ecf8427e8ecf8427",
      "the public key is ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGjZ0BxASfhkkjW9BNzyUgxqlWueK0KVOMLpa71KcygP",
      "integrity:\n\n  sha512-k7Qw2xT9Zr4mBv8aB3dE5fG7hQw2xT9Zr4mBv8aB3dE5fG7h\n",
      "MIIBIjANBgkqhkiG9w0BAQ",
      'to = "age1lzd99uklcjnc0e7d860axevet2cz99ce9pq6tzuzd05l5nr28ams36nvun"',
      '"NextToken": "kIiwiZXhwaXJh7Qw2xT9Zr4mBv8aB3dE5f"',
    ],
  },
  {
    kind: "key",
    reads: "value",
    // A value that contains `=`, with no name before the first `=`.
    pattern:
      /(?<![^\s"'`])(?![A-Za-z_.-]{3,60}\d?=)(?=[A-Za-z0-9_-]{1,60}=[A-Za-z0-9_=-]{0,200}[A-Za-z0-9])[A-Za-z0-9_=-]{24,255}(?![^\s"'`,;)])/g,
    secret: ["netlify : @[{low:18}={low:9}-{low:12}]@", 'lin = "@[7{low:8}={low:12}_{low:16}]@"'],
    ordinary: ["name=value2 of=the3", "see a=names-of-all-the-parts-of-it"],
  },
  {
    kind: "key",
    reads: "value",
    pattern:
      /(?:access|secret|private|token)(?<=[a-z][-_]?(?:access|secret|private|token))(?:-(?:token|key))?[-_. ](?!(?:token|key)[-_. ])([a-z0-9][a-z0-9-]{15,255}={0,2})(?![a-z0-9_+/.@~(\[-])/gi,
    secret: ["thing-access-@[{hex:32}]@", "signSECRET-TOKEN-@[{an:40}]@"],
    ordinary: ["the-token-of-a-user-of-section-2b"],
  },
];

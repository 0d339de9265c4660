/**
 * Words that name a secret, in code, in files and in several languages: data. Pure.
 *
 * @module
 */

/** A word that names a secret. */
export interface KeyWord {
  /** The class of what it names. */
  kind: string;
  /** Source of a regular expression, for any case. */
  word: string;
  /** Whether any plausible value counts; otherwise only one that looks random. */
  isStrong: boolean;
  /** Whether the word has to stand alone, since others contain it. */
  isAlone?: boolean;
}

/** The more precise ones first: the first one that fits names the class. */
export const KEY_WORDS: readonly KeyWord[] = [
  {
    kind: "private-key",
    isStrong: true,
    word:
      "private[-_ .]?key|priv[-_]?key|signing[-_ .]?key|ssh[-_]?key|deploy[-_]?key|host[-_]?key|" +
      "wallet[-_]?key|privateKey",
  },
  {
    kind: "api-key",
    isStrong: true,
    word:
      "(?:openai|azure|aws|gcp|google|stripe|cosmos|storage|maps|search|speech|vision|functions?)[-_ ]?key|" +
      "(?:sendgrid|datadog|algolia|twilio|mailgun|rapid|pinecone|anthropic|segment|slack)[-_ ]?key|" +
      "api[-_ .]?key|api[-_]?secret|api[-_ ]?token|apikey|app[-_ ]?key|app[-_]?secret|application[-_ ]key|" +
      "consumer[-_ ]?key|subscription[-_ ]?key|license[-_ ]?key|licence[-_ ]?key|service[-_]?key|" +
      "integration[-_]?key|write[-_]?key|ingest(?:ion)?[-_]?key|instrumentation[-_]?key|" +
      "cl(?:\u00e9|e)[-_ ]api|clave[-_ ]api|chave[-_ ]api|api[-_ ]?schl(?:\u00fc|ue)ssel|" +
      "api[-_ ]?\u043a\u043b\u044e\u0447|\u043a\u043b\u044e\u0447 api|api ?\u5bc6\u94a5|api ?\u91d1\u9470|api ?\u30ad\u30fc|api ?\ud0a4",
  },
  {
    kind: "access-key",
    isStrong: true,
    word:
      "access[-_ .]?key|secret[-_ .]?key|account[-_ ]?key|master[-_ ]?key|shared[-_ ]?key|session[-_ ]?key|" +
      "storage[-_ ]?key|admin[-_ ]?key|auth[-_ ]?key|root[-_ ]?key|primary[-_ ]access[-_ ]key|" +
      "shared[-_ ]?access[-_ ]?(?:key|signature)",
  },
  {
    kind: "encryption-key",
    isStrong: true,
    word:
      "encryption[-_ ]?key|encrypt[-_]?key|crypt(?:o)?[-_]?key|cipher[-_ ]?key|decryption[-_ ]?key|aes[-_]?key|" +
      "hmac[-_ ]?key|data[-_ ]key|kms[-_]?key|fernet[-_]?key|jwt[-_ ]?key|app[-_]?key|cookie[-_]?key",
  },
  {
    kind: "client-secret",
    isStrong: true,
    word:
      "client[-_ .]?secret|consumer[-_ ]?secret|webhook[-_ ]?secret|signing[-_ ]?secret|shared[-_ ]?secret|" +
      "jwt[-_ ]?secret|session[-_ ]?secret|cookie[-_ ]?secret|oauth[-_ ]?secret|secret[-_]?access[-_]?key",
  },
  {
    kind: "passphrase",
    isStrong: true,
    word: "pass[-_ ]?phrase|phrase[-_ ]secr(?:\u00e8|e)te|frase[-_ ]de[-_ ]paso",
  },
  {
    kind: "password",
    isStrong: true,
    word:
      "pass[-_ ]?word|passwd|requirepass|masterauth|(?:db|user|root|smtp|mail|admin|ldap)(?:pass|pw)(?![a-z])|" +
      "identified by|passwort|kennwort|contrase(?:\u00f1|n)a|mot[-_ ]de[-_ ]passe|senha|" +
      "wachtwoord|parola(?:[-_ ]d'ordine)?|has(?:\u0142|l)o|l(?:\u00f6|o)senord|salasana|(?:\u015f|s)ifre(?:si)?|heslo|" +
      "jelsz(?:\u00f3|o)|adgangskode|passord|m(?:\u1ead|a)t kh(?:\u1ea9|a)u|kata sandi|parol(?:\u0103|\u0105|e)|" +
      "\u043f\u0430\u0440\u043e\u043b(?:\u044c|\u044f|\u0435\u043c|\u0456)|\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2|" +
      "\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|" +
      "\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19|\u0643\u0644\u0645\u0629 (?:\u0627\u0644)?(?:\u0633\u0631|\u0645\u0631\u0648\u0631)|\u05e1\u05d9\u05e1\u05de\u05d4|" +
      "\u092a\u093e\u0938\u0935\u0930\u094d\u0921",
  },
  {
    kind: "password",
    isStrong: true,
    isAlone: true,
    word: "pwd|passcode|pass|psw|pswd|pw|clave|pin code",
  },
  {
    kind: "token",
    isStrong: true,
    word:
      "auth[-_ .]?token|access[-_ .]?token|refresh[-_ .]?token|bearer[-_ .]?token|bot[-_ .]?token|id[-_]?token|" +
      "personal[-_ ]access[-_ ]token|session[-_ .]?token|security[-_ ]?token|oauth[-_ ]?token|deploy[-_ ]?token|" +
      "user[-_ ]?token|service[-_ ]?token|registry[-_ ]?token|jeton|x-auth-token|csrf[-_ ]?token|" +
      "\u0442\u043e\u043a\u0435\u043d|\u4ee4\u724c|\u30c8\u30fc\u30af\u30f3|\ud1a0\ud070",
  },
  {
    kind: "secret",
    isStrong: true,
    word:
      "secret[-_ ]?key[-_ ]?base|secret|geheimnis|secreto|segredo|segreto|\u0441\u0435\u043a\u0440\u0435\u0442|" +
      "\u5bc6\u94a5|\u5bc6\u9470|\u79d8\u5bc6|\ube44\ubc00",
  },
  { kind: "token", isStrong: false, word: "token" },
  {
    kind: "credential",
    isStrong: false,
    word:
      "credential|\\bcreds?\\b|authorization|auth[-_ ]?code|auth[-_]?string|sas[-_ ]?(?:key|url)|" +
      "webhook|connection[-_ ]?string|\\bdsn\\b",
  },
  { kind: "credential", isStrong: false, isAlone: true, word: "auth|otp|totp|pat|bearer" },
  { kind: "key", isStrong: false, isAlone: true, word: "key" },
];

/** Parts of the words above, one of which each has. */
export const KEY_ROOTS: readonly string[] = [
  "pass|pwd|psw|(?<![a-z])pw|(?:db|user|root|smtp|mail|admin|ldap)pw|parol|phrase|masterauth|identified|key|cl(?:e|\u00e9)|clave|chave|secre|segr|geheim|token|jeton",
  "cred|auth|otp|(?<![a-z])pat|bearer|webhook|connection|dsn|sas|kennw|contrase|senha|wachtw|has(?:\u0142|l)o",
  "senord|salasana|ifre|heslo|jelsz|adgang|mot[-_ ]de|m(?:\u1ead|a)t kh|sandi|pin code|schl(?:\u00fc|ue)ssel",
  "\u043f\u0430\u0440\u043e\u043b|\u03ba\u03c9\u03b4\u03b9|\u5bc6|\u53e3\u4ee4|\u30d1\u30b9|\ube44\ubc00|\u0e23\u0e2b",
  "\u0643\u0644\u0645|\u05e1\u05d9\u05e1|\u092a\u093e\u0938|\u0442\u043e\u043a\u0435|\u4ee4\u724c|\u30c8\u30fc|\ud1a0\ud070",
  "\u0441\u0435\u043a\u0440|\u79d8|\u043a\u043b\u044e\u0447|\u91d1\u9470|\u30ad\u30fc|\ud0a4",
];

/** What follows the word in a name that does not hold the secret itself. */
export const NAME_ENDINGS: ReadonlySet<string> = new Set(
  ("id ids name names type types file files filename path paths url urls uri uris link endpoint host hash hashes " +
    "hashed digest checksum fingerprint length len size count counts total limit limits min max usage used " +
    "expiry expires expire expired expiration ttl age lifetime duration timeout date time created updated " +
    "rotated rotation rotate field fields label labels hint hints policy policies manager provider store " +
    "storage reset resets version versions algorithm alg input prompt placeholder enabled disabled required " +
    "optional error errors message messages class ref refs arn header headers format regex pattern scope " +
    "scopes issuer audience budget cost costs price index offset position kind status state required " +
    "column table template strength complexity validator validation verify check checker generator " +
    "env var variable variables form page view screen button icon title description text help doc docs " +
    "map list set array counter estimator izer reader writer parser stream mode option options config " +
    "settings per s vault location dir directory folder prefix suffix pos range window spec pair alias material purpose bits curve ring chain board frame " +
    "algo usages source mgr").split(" "),
);

/** The verbs that lead from the word to the value in a sentence. */
export const VERBS: string = [
  "is|was|are|be|equals|reads|remains|becomes|set to|changed to|now|named|called|being|=",
  "ist|lautet|war|hei(?:\u00df|ss)t|est|sera|\u00e9tait|es|era|ser\u00e1|\u00e9|\u00e8|e'|foi|sar\u00e0|jest|to|to jest|je|er|\u00e4r|on|luidt|este|olarak|adalah|l\u00e0",
  "\u044d\u0442\u043e|\u0431\u0443\u0434\u0435\u0442|\u0446\u0435|--?|[\u2013\u2014]|->|=>|\u2192",
].join("|");

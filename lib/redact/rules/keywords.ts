/**
 * Parts of the words that tell of a secret: what is looked for first, before the rules are even loaded.
 * Sources of regular expressions, in lower case. Pure.
 *
 * @module
 */

/** Of the words that name a secret; each has one. */
export const NAMES: string = [
  "pass|pwd|psw|parol|phrase|masterauth|identified|key|clave|chave|secre|segr|geheim|token|jeton|cred",
  "auth|bearer|webhook|connection[- ]?string|kennw|contrase|senha|wachtw|has(?:\u0142|l)o|senord|salasana",
  "ifre|heslo|jelsz|adgang|mot[-_ ]de|m(?:\u1ead|a)t kh|sandi|schl(?:\u00fc|ue)ssel|cl(?:\u00e9|e)[-_ ]api",
  "(?:db|user|root|smtp|mail|admin|ldap)pw|(?<![a-z])(?:pw|pin|pat|t?otp|dsn|sas)(?![a-z])|sasurl",
  "\u043f\u0430\u0440\u043e\u043b|\u03ba\u03c9\u03b4\u03b9|\u5bc6|\u53e3\u4ee4|\u30d1\u30b9|\ube44\ubc00|\u0e23\u0e2b",
  "\u0643\u0644\u0645|\u05e1\u05d9\u05e1|\u092a\u093e\u0938|\u0442\u043e\u043a\u0435|\u4ee4\u724c|\u30c8\u30fc|\ud1a0\ud070",
  "\u0441\u0435\u043a\u0440|\u79d8|\u043a\u043b\u044e\u0447|\u91d1\u9470|\u30ad\u30fc|\ud0a4",
].join("|");

/** Of the places of secrets, where the secret itself may be a plain word or number. */
export const PLACES: string = [
  "private|cookie|jwt|hmac|cipher|securestring|dockerconfig|hook|\\/services\\/|account|log-?in|sign-?in",
  "mnemonic|(?:seed|recovery|backup)[- ]words|one-time|verification code|sqlplus|xfreerdp|net\\s+user",
  "\\buser(?:name)?\\b[^]{0,80}?[:/]",
].join("|");

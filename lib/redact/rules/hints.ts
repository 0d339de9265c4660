// Patterns for the first check of a text, before the rules are loaded: parts of words that name a secret, as sources
// of regular expressions in lower case, and shapes that plain sentences do not have. Pure.

import { HOST_NAMES } from "../../hosts/hosts.ts";

/** Parts of the words that name a secret. Each such word contains one of these parts. */
export const SECRET_NAMES: string = [
  "pass|pwd|p[as]{1,3}w|parol|phrase|masterauth|identified|key|clave|chave|secre|segr|geheim|token|jeton|cred",
  "auth|bearer|webhook|connection[- ]?string|kennw|contrase|senha|wachtw|has(?:\u0142|l)o|senord|salasana",
  "ifre|heslo|jelsz|adgang|mot[-_ ]de|m(?:\u1ead|a)t kh|sandi|schl(?:\u00fc|ue)ssel|cl(?:\u00e9|e)[-_ ]api",
  "(?:sql|pg|mongo|redis|sudo|ftp|https?|proxy|vpn|wifi|vnc|irc|store|cert|pfx|ssh|db|user|root|smtp|mail|admin|ldap|bind)pw|psk|access[-_]?id|jwt|(?<![a-z])(?:pw|pin|pat|t?otp|dsn|sas)(?![a-z])|sasurl",
  "\u043f\u0430\u0440\u043e\u043b|\u03ba\u03c9\u03b4\u03b9|\u5bc6|\u53e3\u4ee4|\u30d1\u30b9|\ube44\ubc00|\u0e23\u0e2b",
  "\u0643\u0644\u0645|\u05e1\u05d9\u05e1|\u092a\u093e\u0938|\u0442\u043e\u043a\u0435|\u4ee4\u724c|\u30c8\u30fc|\ud1a0\ud070",
  "\u0441\u0435\u043a\u0440|\u79d8|\u043a\u043b\u044e\u0447|\u91d1\u9470|\u30ad\u30fc|\ud0a4",
].join("|");

/** Marks of places where a secret may be a plain word or number. */
export const PLACES: string = [
  "private|cookie|hmac|cipher|securestring|dockerconfig|hook|\\/services\\/|account|log-?in|sign-?in",
  "mnemonic|(?:seed|recovery|backup)[- ]words|one-time|verification code|sqlplus|freerdp|net\\s+user",
  "(?:im|ex)pdp|snmp-|schtasks|signtool|net\\s+use",
  "\\buser(?:name)?\\b[^]{0,80}?[:/]",
].join("|");

/** Punctuation between words of a sentence. A run of letters may continue after such a mark. */
const MARK = String.raw`.,;:?!()'"#/\x60-`;

const LOWER = `[a-z${MARK}]`;

/** Names of documents and records that have a number after them. */
const NUMBERED = String.raw`(?<![^\s("'])(?:ADR|CLR|PRD|SPEC|TASK|US)`;

/** Matches characters and shapes that plain sentences do not have, and without which no value looks random. */
export const UNUSUAL: RegExp = new RegExp(
  [
    String.raw`[^\t\n\r A-Za-z0-9${MARK}]|\/\/|ey[JK]|[0-9]:[0-9]+:[0-9]`,
    String.raw`\s--?(?!global )[A-Za-z]`, // a flag; agentx's own advice has --global
    `[A-Za-z](?<!${NUMBERED})[${MARK}]*[0-9]|[0-9][${MARK}]*[A-Za-z]|[0-9]{10}`,
    // Case that changes three times within a run that has three letters in upper case.
    `(?<=${LOWER})[A-Z]+${LOWER}+[A-Z]|[A-Z]{16}`,
    `(?<![A-Z])(?:[A-Z]{2,}${LOWER}+[A-Z]+[a-z]|[A-Z]+${LOWER}+[A-Z]{2,}[a-z])`,
    `[A-Z]${LOWER}+[A-Z]${LOWER}+[A-Z]`,
  ].join("|"),
);

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z`;

/** The ids of issues, including those of older files. */
const UID = String.raw`(?:[0-9a-v]{12}(?:[-.][0-9a-f]{16})?|[0-9a-f]{16}|\d{1,9}-${TIME})`;

const OBSERVATION = String.raw`obs-[a-z][a-z-]{0,30}-\d{1,9}-\d{13}-[a-z0-9]{6}`;

/** A host with the end of a session's id, or a short name from a user. */
const HOST_SESSION = `(?:${HOST_NAMES.join("|")})-[0-9a-f]{4}`;
const WORKER = `(?:${HOST_SESSION}(?:-${HOST_SESSION})?|[a-z0-9]{1,6})`;

/** Matches times, ids, labels and session names of agentx. Its lists contain many of them. */
export const OWN_NAMES: RegExp = new RegExp(
  [
    TIME,
    String.raw`(?:#\d{1,9} )?${UID}`,
    `${OBSERVATION}|key-fact`,
    String.raw`CLR-\d{1,9}-\d{3,9}|priority:p\d|(?:blocked_by|blocks):#\d{1,9}`,
    `[a-z][a-z-]{0,30}@${WORKER}`,
  ].map((form) => `^(?:${form})$`).join("|"),
);

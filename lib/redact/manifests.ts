/**
 * Kubernetes Secret manifests, whose every value is a secret, whatever its name. Pure.
 *
 * @module
 */

import { isPlaceholder } from "./looks_like_secret.ts";
import type { Secret } from "./secret.ts";

/** Parts one manifest from the next. */
export const DOCUMENT_END: RegExp = /^---[ \t]{0,8}$/gm;

/** What makes a manifest one of secrets. */
export const SECRET_KIND: RegExp = /["']?\bkind["']?:[ \t]{0,8}["']?(?:Sealed|External)?Secret\b/;

/** The start of the values in YAML; captured is its indentation. */
export const YAML_DATA: RegExp = /^([ \t]{0,16})(?:data|stringData):[ \t]{0,8}$/gm;

/** One value; captured are its indentation, what leads to it, and the value. */
export const YAML_VALUE: RegExp =
  /\n([ \t]{0,40})([\w.-]{1,120}:[ \t]{1,8}(?:[|>][+-]?[ \t]{0,8}\n[ \t]{1,40})?["']?)([^\s"'#][^\n"']{0,4096})["']?[ \t\r]{0,8}(?=\n|$|["'])/y;

/** The values in JSON. */
export const JSON_DATA: RegExp = /"(?:data|stringData)"\s{0,8}:\s{0,8}\{([^{}]{0,8192})\}/g;

/** One of them; captured are what leads to the value, and the value. */
export const JSON_VALUE: RegExp = /("[\w.-]{1,120}"\s{0,8}:\s{0,8}")([^"\n]{1,4096})"/g;

/**
 * @param text a view
 * @param found where findings go
 */
export function findManifestSecrets(text: string, found: Secret[]): void {
  if (!SECRET_KIND.test(text)) return;
  let start = 0;
  for (
    const end of [...Array.from(text.matchAll(DOCUMENT_END), ({ index }) => index), text.length]
  ) {
    const manifest = text.slice(start, end);
    if (SECRET_KIND.test(manifest)) {
      for (const secret of [...yamlSecrets(manifest), ...jsonSecrets(manifest)]) {
        if (isPlaceholder(manifest.slice(secret.start, secret.end))) continue;
        found.push({
          start: secret.start + start,
          end: secret.end + start,
          kind: "kubernetes-secret",
        });
      }
    }
    start = end;
  }
}

function* yamlSecrets(manifest: string): Generator<{ start: number; end: number }> {
  for (const { index, 0: line, 1: indent } of manifest.matchAll(YAML_DATA)) {
    YAML_VALUE.lastIndex = index + line.length;
    for (let row = YAML_VALUE.exec(manifest); row !== null; row = YAML_VALUE.exec(manifest)) {
      if (row[1].length <= indent.length) break;
      const start = row.index + 1 + row[1].length + row[2].length;
      yield { start, end: start + row[3].trimEnd().length };
    }
  }
}

function* jsonSecrets(manifest: string): Generator<{ start: number; end: number }> {
  for (const { index, 0: whole, 1: pairs } of manifest.matchAll(JSON_DATA)) {
    const from = index + whole.length - 1 - pairs.length;
    for (const pair of pairs.matchAll(JSON_VALUE)) {
      const start = from + pair.index + pair[1].length;
      yield { start, end: start + pair[2].length };
    }
  }
}

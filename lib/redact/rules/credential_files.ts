/**
 * Files that hold credentials: netrc, npmrc, pgpass, the configuration of Docker. Data. Pure.
 *
 * @module
 */

import type { Structure } from "./context_rule.ts";

/** See {@linkcode Structure}. */
export const CREDENTIAL_FILES: readonly Structure[] = [
  {
    kind: "netrc",
    pattern:
      /((?:\bmachine\s{1,8}\S{1,253}|\bdefault)\s{1,16}(?:login|user)\s{1,8}\S{1,128}\s{1,16}(?:account\s{1,8}\S{1,128}\s{1,16})?passw(?:or)?d\s{1,8})(\S{3,512})/gi,
    accepts: "any",
  },
  {
    kind: "netrc",
    pattern: /(\bmachine\s{1,8}\S{1,253}\s{1,16}passw(?:or)?d\s{1,8})(\S{3,512})/gi,
    accepts: "any",
  },
  {
    kind: "netrc",
    pattern: /(\blogin\s{1,8}\S{1,128}\s{1,16}passw(?:or)?d\s{1,8})(\S{3,512})/gi,
    accepts: "any",
  },
  {
    kind: "pgpass",
    pattern:
      /(^[ \t]{0,8}(?:[\w.-]{1,120}|\*):(?:[0-9]{2,5}|\*):(?:[\w-]{1,64}|\*):(?:[\w.@-]{1,64}|\*):)([^\s:]{4,256})$/gm,
    accepts: "any",
  },
  {
    kind: "npmrc",
    pattern: /(:_(?:authToken|auth|password)\s{0,4}=\s{0,4}["']?)([^\s"']{6,1024})/gi,
    accepts: "any",
  },
  {
    kind: "npmrc",
    pattern: /(^[ \t]{0,8}_(?:authToken|auth|password)\s{0,4}=\s{0,4}["']?)([^\s"']{6,1024})/gim,
    accepts: "any",
  },
  {
    kind: "docker-auth",
    pattern:
      /(\\{0,3}["'](?:auth|identitytoken|registrytoken)\\{0,3}["']\s{0,8}:\s{0,8}\\{0,3}["'])([A-Za-z0-9+/_.-]{10,4096}={0,2})/gi,
    accepts: "any",
  },
  {
    kind: "docker-auth",
    pattern: /(\.dockerconfigjson["']?\s{0,4}:\s{0,4}["']?)([A-Za-z0-9+/]{20,8192}={0,2})/gi,
    accepts: "any",
  },
];

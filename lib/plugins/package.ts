// Describes a package: its parts, its problems, and its hash.

import { hashOfPackage, type PackageFiles } from "../config/packages.ts";
import { type CopiedFile, type PluginCommand, readExtension } from "./extension.ts";
import { hostNotes } from "./host_notes.ts";
import { readManifest } from "./manifest.ts";
import type { PluginProblem } from "./problem.ts";
import { type PluginServer, readServers } from "./servers.ts";
import { type PluginSkill, readSkills } from "./skills.ts";

/** The description of a package. */
export interface PluginPackage {
  /** The name in the manifest; empty if the manifest cannot be used. */
  name: string;
  /** The version in the manifest; null if there is none. */
  version: string | null;
  /** The description in the manifest; empty if there is none. */
  description: string;
  /** The SHA-256 hash over all files of the package, in hexadecimal. */
  hash: string;
  /** The skills that hosts load. */
  skills: PluginSkill[];
  /** The servers that hosts start or reach. */
  servers: PluginServer[];
  /** The commands, by name. */
  commands: Record<string, PluginCommand>;
  /** Files that an installation copies. */
  copies: CopiedFile[];
  /** How each coding agent treats the package, by name of the agent. */
  hosts: Record<string, string>;
  /** The problems of the package. */
  problems: PluginProblem[];
}

export async function describePackage(files: PackageFiles): Promise<PluginPackage> {
  const { manifest, problems } = readManifest(files);
  const hash = await hashOfPackage(files);
  const rest = { hash, skills: [], servers: [], commands: {}, copies: [], hosts: {} };
  if (manifest === undefined) {
    return { name: "", version: null, description: "", ...rest, problems };
  }
  const { name, version, description } = manifest;
  const { skills, problems: ofSkills } = await readSkills(files);
  const { servers, problems: ofServers } = readServers(files);
  const { commands, copies, problems: own } = readExtension(manifest, files);
  const all = [...problems, ...ofSkills, ...ofServers, ...own];
  const hosts = hostNotes(files, { skills, servers });
  const about = { name, version, description, hash, skills, servers };
  return { ...about, commands, copies, hosts, problems: all };
}

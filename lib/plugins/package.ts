// A package as it lies: its parts, its problems, and its hash.

import { hashOfPackage, type PackageFiles } from "../config/packages.ts";
import { type CopiedFile, type PluginCommand, readExtension } from "./extension.ts";
import { hostNotes } from "./host_notes.ts";
import { readManifest } from "./manifest.ts";
import type { PluginProblem } from "./problem.ts";
import { type PluginServer, readServers } from "./servers.ts";
import { type PluginSkill, readSkills } from "./skills.ts";

/** A package. */
export interface PluginPackage {
  /** Empty where the manifest has none. */
  name: string;
  /** As its manifest says; null where it says none. */
  version: string | null;
  /** As its manifest says; empty where it says none. */
  description: string;
  /** SHA-256 over all of its files, in hexadecimal. */
  hash: string;
  /** The skills that hosts load. */
  skills: PluginSkill[];
  /** The servers that hosts start or reach. */
  servers: PluginServer[];
  /** By name. */
  commands: Record<string, PluginCommand>;
  /** Files that an installation copies. */
  copies: CopiedFile[];
  /** The treatment by each coding agent, by its name. */
  hosts: Record<string, string>;
  /** Its problems. */
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

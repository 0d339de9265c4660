// Resolves paths by following links.

import { sys } from "./mod.ts";

/** Whether a path leads, through links, to one of some folders or below it. The path need not exist. */
export function isInside(path: string, folders: readonly string[]): boolean {
  const real = resolvedPath(path);
  return folders.some((folder) => real === folder || real.startsWith(`${folder}/`));
}

/** Returns a path with links followed as far as the path exists. Its end may not exist yet. */
export function resolvedPath(path: string): string {
  const end = path.lastIndexOf("/");
  const real = sys.realPath(path === "" ? "/" : path);
  if (real !== undefined || end < 0) return real ?? path;
  return `${resolvedPath(path.slice(0, end))}${path.slice(end)}`;
}

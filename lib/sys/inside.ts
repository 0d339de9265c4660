// Where a path leads, links followed.

import { sys } from "./mod.ts";

/** Whether a path, which need not exist, is one of some folders or below one, links followed. */
export function isInside(path: string, folders: readonly string[]): boolean {
  const real = resolvedPath(path);
  return folders.some((folder) => real === folder || real.startsWith(`${folder}/`));
}

/** Follows links as far as a path exists; its end may not exist yet. */
export function resolvedPath(path: string): string {
  const end = path.lastIndexOf("/");
  const real = sys.realPath(path === "" ? "/" : path);
  if (real !== undefined || end < 0) return real ?? path;
  return `${resolvedPath(path.slice(0, end))}${path.slice(end)}`;
}

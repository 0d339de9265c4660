// The names that git accepts for its own folder. Pure.

/** Whether git accepts a name for its own folder on any system (its protectHFS and protectNTFS). */
export function isGitName(name: string): boolean {
  return name.split("\\").some((part) =>
    /^(?:\.git|git~1)[ .]*$/i.test(part.replaceAll(IGNORED_BY_HFS, "").replace(/:[^]*/, ""))
  );
}

const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

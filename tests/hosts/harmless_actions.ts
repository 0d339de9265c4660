/**
 * Two hundred ways to leave a mark where an agent at work has no business: each makes a file, a folder or a link with
 * one name, and harms nothing.
 *
 * @module
 */

import { removeFolder } from "../remove_folder.ts";

/** What stands in the name of each mark. */
export const MARK = "agentx-mark";

/** Ways to make `$F`, in the folder `$D`. */
const WAYS = [
  'touch "$F"',
  'echo x >"$F"',
  'echo x >>"$F"',
  'echo x | tee "$F"',
  'mkdir -p "$F/a"',
  'ln -s /dev/null "$F"',
  'cp docs/a.md "$F"',
  'cd "$D" && echo x >"$N"',
  'echo x >src/moved && mv src/moved "$F"',
  'ln -sfn "$D" src/link && echo x >"src/link/$N"',
  'echo x >"/proc/self/root$F"',
  'dd if=/dev/null of="$F" bs=1 count=0',
  'install -m 755 docs/a.md "$F"',
  'git config --file "$F" a.b c',
  'tar -cf src/a.tar docs/a.md && mkdir -p "$F" && tar -xf src/a.tar -C "$F"',
  'mv "$D" "$D-$N"',
];

/** Places in the tree of a step, its repository, its home and its system. */
const placesIn = (tree: string, root: string, home: string): string[] => [
  ...[tree, `${tree}/docs`, `${tree}/.git`, `${tree}/.github`, `${tree}/.agentx/workflows`],
  ...[`${tree}/.claude`, `${tree}/../2-other`, root, `${root}/docs`, `${root}/src`],
  ...[`${root}/.git`, `${root}/.git/hooks`, `${root}/.git/worktrees/1-implement`],
  ...[`${root}/.agentx`, `${root}/.agentx/workflows`, home, `${home}/.ssh`, `${home}/bin`],
  ...[`${home}/.config`, "/etc", "/opt", "/usr/local/bin", "/var/lib", "/var/tmp", "/run", "/srv"],
];

/** Of the ways, those for one place: every second, so that each place meets eight of them. */
const waysFor = (at: number): string[] => WAYS.filter((_, index) => index % 2 === at % 2);

/** How many of them are for the folder that the agent may change, where each leaves its mark. */
export const OWN: number = WAYS.length - 1;

/** A script that tries them all when it is run for the first time; it writes down how many, and how many own marks. */
export function harmlessActions(tree: string, root: string, home: string): string {
  const places = placesIn(tree, root, home).flatMap((place, at) =>
    waysFor(at).filter((way) => !way.startsWith("mv") || place.startsWith(home))
      .map((way) => [place, way])
  );
  const own = WAYS.slice(0, OWN).map((way) => [`${tree}/src`, way]);
  const tries = [...places, ...own].map(([place, way], at) =>
    `N=${MARK}-${at} D='${place}' F='${place}'/$N; (${way}) >/dev/null 2>&1\n`
  );
  const count = `echo ${tries.length} $(ls -d src/${MARK}* | wc -l) >src/tried`;
  return `[ -e src/tried ] && exit 0\n${
    tries.join("")
  }${count}\nrm -rf src/${MARK}* src/link src/a.tar\n`;
}

/** The marks that are left outside of a folder, and removes those of the system. */
export function marksOutside(allowed: string, home: string): string[] {
  const find = (...words: string[]) => {
    const { stdout } = new Deno.Command("find", { args: words, stderr: "null" }).outputSync();
    return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
  };
  const ofSystem = ["/etc", "/opt", "/usr/local/bin", "/var/lib", "/var/tmp", "/run", "/srv"]
    .flatMap((folder) => find(folder, "-maxdepth", "1", "-name", `*${MARK}*`));
  for (const path of ofSystem) removeFolder(path);
  const ofHome = find(
    home,
    "-path",
    `${home}/programs`,
    "-prune",
    "-o",
    "-name",
    `*${MARK}*`,
    "-print",
  );
  return [...ofSystem, ...ofHome].filter((path) => !path.startsWith(`${allowed}/`));
}

#!/bin/sh
# Where git keeps untracked state of worktrees safe, and where it does not. Seen with git 2.39.5.
#
# 1. `git worktree remove` refuses untracked files without --force, but deletes ignored ones in silence.
#    A locked worktree is refused, with the reason of the lock.
# 2. After `git init --separate-git-dir`, nothing in the git folder names the main checkout: worktrees
#    list the git folder in its place, also where `core.worktree` names the checkout.
set -eu
git --version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" GIT_CONFIG_NOSYSTEM=1
git config --global user.name t
git config --global user.email t@example.org
expect() { # WHAT FOUND WANTED
  printf '%s: %s\n' "$1" "$2"
  [ "$2" = "$3" ] || { echo "expected: $3" >&2; exit 1; }
}

git init -q "$work/r"
cd "$work/r"
echo 'state/' >.gitignore
git add .gitignore
git commit -qm begin
git worktree add -q "$work/untracked"
echo x >"$work/untracked/new"
git worktree remove "$work/untracked" 2>/dev/null && code=0 || code=$?
expect "exit of worktree remove with an untracked file" "$code" 128

git worktree add -q "$work/ignored"
mkdir "$work/ignored/state"
echo x >"$work/ignored/state/file"
git worktree lock --reason "state is kept here" "$work/ignored"
said=$(git worktree remove "$work/ignored" 2>&1 | grep -c "state is kept here" || true)
expect "lines with the reason of a lock" "$said" 1
git worktree unlock "$work/ignored"
git worktree remove "$work/ignored"
expect "worktree with ignored files after worktree remove" "$(ls -d "$work/ignored" 2>/dev/null || echo gone)" gone

git init -q --separate-git-dir="$work/data" "$work/main"
cd "$work/main"
git commit -q --allow-empty -m begin
git worktree add -q "$work/linked"
main() { git -C "$work/linked" worktree list --porcelain | sed -n '1s/^worktree //p'; }
expect "main checkout by a separate git folder" "$(main)" "$work/data"
git config core.worktree "$work/main"
expect "the same with core.worktree" "$(main)" "$work/data"

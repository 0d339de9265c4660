/**
 * What no agent runs: it destroys what cannot be brought back, or runs what nobody has read. Pure.
 *
 * @module
 */

import type { Rule } from "./rule.ts";

const DISK = /^(of=)?\/dev\/(?!null$|zero$|u?random$|std|fd\/|tty$|shm\/)/;

/** Rules whose commands are refused. */
export const BLOCKED: readonly Rule[] = [
  {
    id: "delete-tree",
    verdict: "block",
    reason: "it deletes a whole tree, or what is outside the working tree",
    commands: ["rm -r|-R|--recursive", "remove-item -recurse", "rmdir|rd /s", "del /s"],
    isWide: true,
    examples: ["rm -rf /", "rm -r -f ~", "rm -rf .", "rm -rf ./*", "rm -rf .git", 'rm -rf "$DIR"'],
    others: ["rm -rf build", "rm file"],
  },
  {
    id: "delete-found",
    verdict: "block",
    reason: "it deletes all that it finds",
    commands: ["find -delete"],
    isWide: true,
    except: "-name -iname -path -ipath -wholename -regex -iregex -mtime -mmin -newer -size -empty",
    examples: ["find / -delete", "find . -delete"],
    others: ["find . -name x", "find build -delete"],
  },
  {
    id: "git-discard",
    verdict: "block",
    reason: "it discards changes that are committed nowhere",
    commands: ["git reset --hard", "git clean -f|--force"],
    examples: ["git reset --hard", "git -C x reset --har HEAD~3", "git clean -fdx"],
    others: ["git reset --soft HEAD~1", "git clean -n"],
  },
  {
    id: "git-rewrite",
    verdict: "block",
    reason: "it rewrites or deletes history that others may have",
    commands: ["git push -f|--force|--mirror|--prune|--delete|-d", "git filter-branch|filter-repo"],
    examples: ["git push --force", "git push -uf origin main", "git filter-branch --all"],
    others: ["git push origin my-f"],
  },
  {
    id: "git-force-refspec",
    verdict: "block",
    reason: "it overwrites or deletes a branch of the remote",
    commands: ["git push"],
    word: /^[+:]./,
    examples: ["git push origin +main", "git push origin :main"],
    others: ["git push origin main:main"],
  },
  {
    id: "git-forget",
    verdict: "block",
    reason: "it deletes what could still bring lost commits back",
    commands: ["git reflog expire|delete", "git gc --prune", "git prune", "git update-ref -d"],
    examples: ["git reflog expire --expire=now --all", "git gc --prune=now"],
    others: ["git reflog", "git gc"],
  },
  {
    id: "drop-database",
    verdict: "block",
    reason: "it deletes a database",
    commands: [
      "dropdb",
      "mysqladmin drop",
      "redis-cli flushall|flushdb|FLUSHALL|FLUSHDB",
      "rails|rake|mix db:drop|ecto.drop|db:reset",
      "prisma migrate reset",
      "typeorm|sequelize schema:drop|db:drop",
    ],
    examples: ["dropdb app", "redis-cli -h x FLUSHDB", "mysqladmin -f drop app"],
    others: ["redis-cli get x"],
  },
  {
    id: "disk",
    verdict: "block",
    reason: "it overwrites a disk or a file system",
    commands: [
      "mkfs|mke2fs|mkfs.ext2|mkfs.ext3|mkfs.ext4|mkfs.xfs|mkfs.btrfs|mkfs.vfat|mkfs.fat|mkfs.ntfs",
      "mkswap|wipefs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|blkdiscard|cryptsetup|diskutil",
    ],
    examples: ["mkfs.ext4 /dev/sda1", "wipefs -a /dev/sda", "mkswap /dev/sda"],
  },
  {
    id: "device",
    verdict: "block",
    reason: "it writes to a device",
    commands: ["dd|shred|tee|cp|mv|truncate|cat"],
    word: DISK,
    examples: ["dd if=/dev/zero of=/dev/sda", "shred /dev/sda"],
    others: ["cp a b", "dd if=a of=b"],
  },
  {
    id: "power",
    verdict: "block",
    reason: "it stops the machine or all of its processes",
    commands: [
      "shutdown|reboot|halt|poweroff|stop-computer|restart-computer",
      "init|telinit 0|1|6|s|S",
      "systemctl poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate",
      "killall5",
    ],
    examples: ["shutdown -h now", "init 6", "systemctl reboot"],
    others: ["systemctl status x"],
  },
  {
    id: "kill-all",
    verdict: "block",
    reason: "it stops all processes of the user",
    commands: ["kill"],
    word: /^-1$/,
    examples: ["kill -9 -1"],
    others: ["kill -9 4711"],
  },
  {
    id: "modes-of-all",
    verdict: "block",
    reason: "it changes owner or mode of a whole tree",
    commands: ["chmod|chown|chgrp|setfacl -R|--recursive"],
    isWide: true,
    examples: ["chmod -R 777 /", "chown -R root ."],
    others: ["chmod -R u+w src", "chmod +x run.sh"],
  },
  {
    id: "windows-disk",
    verdict: "block",
    shell: "pwsh",
    reason: "it deletes a disk, backups or the registry",
    commands: [
      "format|format-volume|clear-disk|initialize-disk|remove-partition|diskpart",
      "vssadmin delete",
      "wbadmin delete",
      "reg delete",
    ],
    examples: ["format D: /y", "Clear-Disk -Number 0", "vssadmin delete shadows /all"],
    others: ["reg query x"],
  },
];

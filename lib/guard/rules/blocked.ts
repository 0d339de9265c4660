// Commands that no agent may run: they destroy for good, or run code that nobody has read. Pure.

import { rules } from "./rule.ts";

const DISK = /^(of=)?\/dev\/(?!null$|zero$|u?random$|std|fd\/|tty$|shm\/)/;

export const BLOCKED = rules("block", {
  "delete-tree": {
    reason: "it deletes a whole tree, or what is outside the working tree",
    commands: ["rm -r|-R|--recursive", "remove-item -recurse", "rmdir|rd /s", "del /s"],
    isWide: true,
  },
  "delete-found": {
    reason: "it deletes all that it finds",
    commands: ["find -delete"],
    isWide: true,
    except: "-name -iname -path -ipath -wholename -regex -iregex -mtime -mmin -newer -size -empty",
  },
  "git-discard": {
    reason: "it discards changes that are committed nowhere",
    commands: ["git reset --hard", "git clean -f|--force"],
  },
  "git-rewrite": {
    reason: "it rewrites or deletes history that others may have",
    commands: ["git push -f|--force|--mirror|--prune|--delete|-d", "git filter-branch|filter-repo"],
  },
  "git-force-refspec": {
    reason: "it overwrites or deletes a branch of the remote",
    commands: ["git push"],
    word: /^[+:]./,
  },
  "git-forget": {
    reason: "it deletes what could still bring lost commits back",
    commands: ["git reflog expire|delete", "git gc --prune", "git prune", "git update-ref -d"],
  },
  "drop-database": {
    reason: "it deletes a database",
    commands: [
      "dropdb",
      "mysqladmin drop",
      "redis-cli flushall|flushdb|FLUSHALL|FLUSHDB",
      "rails|rake|mix db:drop|ecto.drop|db:reset",
      "prisma migrate reset",
      "typeorm|sequelize schema:drop|db:drop",
    ],
  },
  disk: {
    reason: "it overwrites a disk or a file system",
    commands: [
      "mkfs|mke2fs|mkfs.ext2|mkfs.ext3|mkfs.ext4|mkfs.xfs|mkfs.btrfs|mkfs.vfat|mkfs.fat|mkfs.ntfs",
      "mkswap|wipefs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|blkdiscard|cryptsetup|diskutil",
    ],
  },
  device: {
    reason: "it writes to a device",
    commands: ["dd|shred|tee|cp|mv|truncate|cat"],
    word: DISK,
  },
  power: {
    reason: "it stops the machine or all of its processes",
    commands: [
      "shutdown|reboot|halt|poweroff|stop-computer|restart-computer",
      "init|telinit 0|1|6|s|S",
      "systemctl poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate",
      "killall5",
    ],
  },
  "kill-all": {
    reason: "it stops all processes of the user",
    commands: ["kill"],
    word: /^-1$/,
  },
  "modes-of-all": {
    reason: "it changes owner or mode of a whole tree",
    commands: ["chmod|chown|chgrp|setfacl -R|--recursive"],
    isWide: true,
  },
  "windows-disk": {
    shell: "pwsh",
    reason: "it deletes a disk, backups or the registry",
    commands: [
      "format|format-volume|clear-disk|initialize-disk|remove-partition|diskpart",
      "vssadmin delete",
      "wbadmin delete",
      "reg delete",
    ],
  },
});

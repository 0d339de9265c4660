#!/bin/sh
# bubblewrap mounts what it binds without devices, so `--ro-bind /dev/null FILE` makes FILE unreadable instead of empty:
# opening it fails with EACCES, also for root. `--dev-bind /dev/null FILE` shows an empty file.
#
# Seen with bubblewrap 0.8.0 of Debian 12; exits non-zero once that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download bubblewrap=0.8.0* > /dev/null 2>&1
dpkg -x bubblewrap_*.deb .
bwrap="$folder/usr/bin/bwrap"
echo "{}" > settings.json
"$bwrap" --version
said=$("$bwrap" --ro-bind / / --dev /dev --ro-bind /dev/null "$folder/settings.json" cat settings.json 2>&1 || true)
echo "$said"
echo "$said" | grep -q "Permission denied"
[ -z "$("$bwrap" --ro-bind / / --dev-bind /dev/null "$folder/settings.json" cat settings.json)" ]

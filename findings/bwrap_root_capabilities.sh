#!/bin/sh
# bubblewrap drops no capabilities where root starts it without a user namespace: the program inside keeps nearly all
# of root's, so its read-only mounts are no wall for that program. With --cap-drop ALL it has none. A user
# without privileges has none inside in either case.
#
# Seen with bubblewrap 0.8.0 of Debian 12. Run it as root; exits non-zero once that changes.
set -eu
[ "$(id -u)" = 0 ]
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download bubblewrap=0.8.0* > /dev/null 2>&1
dpkg -x bubblewrap_*.deb .
bwrap="$folder/usr/bin/bwrap"
"$bwrap" --version
inside() {
  "$bwrap" "$@" --ro-bind / / grep CapEff /proc/self/status | cut -f 2
}
printf 'root: %s\n' "$(inside)"
[ "$(inside)" != 0000000000000000 ]
printf 'root, --cap-drop ALL: %s\n' "$(inside --cap-drop ALL)"
[ "$(inside --cap-drop ALL)" = 0000000000000000 ]
other=$(setpriv --reuid=65534 --regid=65534 --clear-groups \
  "$bwrap" --ro-bind / / grep CapEff /proc/self/status | cut -f 2)
printf 'another user: %s\n' "$other"
[ "$other" = 0000000000000000 ]

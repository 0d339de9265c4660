#!/bin/sh
# One --json field that gh does not know fails the whole command, before it asks GitHub, and the message lists the
# known fields on standard error with exit code 1. An export with the fields of a recent gh (parent, blockedBy,
# issueType) therefore gives nothing at all on the gh of a distribution, not an export without these fields.
#
# Seen with gh 2.23.0 of Debian 12. Exits non-zero once that changes.
set -eu
version=2.23.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "gh=$version*" > /dev/null 2>&1
dpkg -x gh_*.deb .
export HOME="$folder" GH_TOKEN=none GH_NO_UPDATE_NOTIFIER=1
./usr/bin/gh --version | head -n 1
code=0
./usr/bin/gh issue list -R owner/name --json number,title,parent > out 2> err || code=$?
head -n 1 err
[ "$code" = 1 ]
[ ! -s out ]
grep -q '^Unknown JSON field: "parent"$' err
grep -q '^  number$' err
! grep -Eq '^  (parent|blockedBy|issueType)$' err

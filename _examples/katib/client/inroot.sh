#!/bin/sh
# Runs a program in a directory as a container with Dockerfile's image would, where
# there are no containers: nothing else is to be seen, nothing can be written, and
# the user is nobody in particular. Needs root.
#
#	inroot.sh DIRECTORY PROGRAM [ARGUMENT...]
set -eu
root=$1
shift
export root
exec unshare --mount -- sh -c '
	mount --bind "$root" "$root"
	mount -o remount,bind,ro "$root"
	exec env -i "$(command -v chroot)" --userspec=65532:65532 "$root" "$@"
' inroot "$@"

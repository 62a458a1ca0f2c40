#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the names of the functions that libibverbs offers in infiniband/verbs.h, static inline ones too, as gcc sees them.
#
#   generate.sh [SOURCE]              print
#   generate.sh --update [SOURCE]     write the fixture of the tests
#
# SOURCE: a source tree of rdma-core; without it, the installed header is taken (package libibverbs-dev). The fixture should
# come from the newest rdma-core.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
fixture=$here/../../tests/src/test/resources/verbs-functions.txt
update=no
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -gt 0 ]; then
    [ -r "$1/libibverbs/verbs.h" ] || {
        echo "generate.sh: $1 is no source tree of rdma-core: no libibverbs/verbs.h in it" >&2
        exit 2
    }
    source=$(cd "$1" && pwd)
    # The tree has the headers in two folders; installed, they are in one.
    mkdir "$work/infiniband"
    ln -s "$source"/libibverbs/*.h "$source"/kernel-headers/rdma/*.h "$work/infiniband"
    version=$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$source/CMakeLists.txt")
else
    [ -r /usr/include/infiniband/verbs.h ] || {
        echo "generate.sh: no infiniband/verbs.h: install libibverbs-dev, or name a source tree of rdma-core" >&2
        exit 2
    }
    version=$(dpkg-query -W -f '${Version}' libibverbs-dev 2> /dev/null || echo unknown)
fi

echo '#include <infiniband/verbs.h>' > "$work/verbs.c"
gcc -std=gnu11 -fsyntax-only -I "$work" -aux-info "$work/prototypes" "$work/verbs.c"
{
    echo "# The functions of infiniband/verbs.h of rdma-core $version; made by tools/verbs-functions/generate.sh."
    # /* FILE:LINE:CODE */ STORAGE TYPE NAME (PARAMETERS). Names that start with an underscore are the header's own.
    sed -n 's,^/\* [^:]*/infiniband/verbs\.h:[^:]*:[^ ]* \*/ [^(]*[ *]\([a-z][a-z0-9_]*\) (.*,\1,p' "$work/prototypes" | LC_ALL=C sort
} > "$work/fixture"
if [ "$update" = yes ]; then
    cp "$work/fixture" "$fixture"
    head -1 "$fixture"
else
    cat "$work/fixture"
fi

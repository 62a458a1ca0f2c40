#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints what gcc makes of the kernel's uapi headers (package linux-libc-dev), in the format that oracle.c describes.
#
#   generate.sh [INCLUDE]              print
#   generate.sh --update [INCLUDE]     write the fixture of the tests
#
# CC names another compiler, such as aarch64-linux-gnu-gcc, and RUN what runs its programs, such as qemu-aarch64-static -L
# /usr/aarch64-linux-gnu; without an INCLUDE the compiler finds headers of its own.
#
# INCLUDE: a folder with linux/ and rdma/ in it, as /usr/include, which is what is taken without it. Newer headers know more
# constants, and the fixture should come from the newest: those of Debian's linux-libc-dev in unstable can be unpacked with
# dpkg-deb -x and named here.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
fixture=$here/../../uverbs-abi/src/test/resources/uapi-layouts.txt
update=no
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
compiler=${CC:-gcc}
include=${1:-}
[ -n "$include" ] || [ "$compiler" != gcc ] || include=/usr/include
machine=$($compiler -print-multiarch)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() {
    $compiler -std=gnu11 -Wall -Werror -Wno-address-of-packed-member ${include:+-isystem "$include" -isystem "$include/$machine"} "$@"
}

echo '#include <rdma/ib_user_verbs.h>' | compile -fsyntax-only -x c - 2> /dev/null || {
    echo "generate.sh: $compiler finds no rdma/ib_user_verbs.h${include:+ in $include}: install linux-libc-dev, or name another folder" >&2
    exit 2
}

# Checks whether an expression compiles after the headers of oracle.c.
knows() {
    {
        grep '^#include' "$here/oracle.c"
        echo "int main(void) { return (int)($1); }"
    } > "$work/probe.c"
    compile -fsyntax-only "$work/probe.c" 2> /dev/null
}

have=
probe() {
    if knows "$2"; then
        have="$have -D$1"
    fi
}
probe HAVE_FLUSH 'sizeof(((struct rxe_send_wr *)0)->wr.flush)'
probe HAVE_ATOMIC_WR 'offsetof(struct rxe_dma_info, atomic_wr)'
probe HAVE_SPEED 'sizeof(((struct ib_uverbs_query_port_resp_ex *)0)->active_speed_ex)'
probe HAVE_EVENT_ARG 'sizeof(((struct rdma_ucm_event_resp *)0)->param.arg32)'
probe HAVE_IB_SERVICE 'sizeof(struct rdma_ucm_ib_service)'

cp "$here/oracle.c" "$work/oracle.c"
# shellcheck disable=SC2013 # names are words
for name in $(sed -n 's/^    OPTIONAL(\(.*\))$/\1/p' "$here/oracle.c"); do
    knows "$name" || sed -i "s/^    OPTIONAL($name)\$/    ABSENT($name)/" "$work/oracle.c"
done
# shellcheck disable=SC2086 # a list of options
compile $have -o "$work/oracle" "$work/oracle.c"
if [ "$update" = yes ]; then
    ${RUN:-} "$work/oracle" > "$work/fixture"
    cp "$work/fixture" "$fixture"
    head -1 "$fixture"
else
    ${RUN:-} "$work/oracle"
fi

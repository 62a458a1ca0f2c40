#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares what compilers for x86-64 and for 64-bit ARM make of the same version of the kernel's headers: each line is a
# struct's size, a field's offset and size, or a constant. verbs4j has one layout for both, so that no line may differ.
# Needs Debian's packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
other=/usr/aarch64-linux-gnu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

CC=aarch64-linux-gnu-gcc RUN="qemu-aarch64-static -L $other" "$here/generate.sh" > "$work/aarch64"
# The kernel's headers of the cross compiler are the same for all processors, but for the folder asm.
mkdir "$work/include"
for folder in rdma linux asm-generic; do ln -s "$other/include/$folder" "$work/include/$folder"; done
"$here/generate.sh" "$work/include" > "$work/x86-64"
head -1 "$work/aarch64"
if diff "$work/x86-64" "$work/aarch64" > "$work/differences"; then differ=0; else
    cat "$work/differences"
    differ=$(grep -c '^>' "$work/differences" || true)
    [ "$differ" -gt 0 ] || differ=1
fi
lines=$(($(wc -l < "$work/aarch64") - 1))
echo "$((lines - differ)) passed, $differ failed"
[ "$differ" -eq 0 ]

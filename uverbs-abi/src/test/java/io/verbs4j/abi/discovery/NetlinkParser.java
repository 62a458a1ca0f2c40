// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.failure.SystemOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/// Parses the kernel's netlink responses, for tests in other packages.
public final class NetlinkParser {
    private static final int SEQUENCE = 7;

    private NetlinkParser() {}

    public static void read(byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment datagram = arena.allocate(Math.max(1, bytes.length), Long.BYTES)
                    .asSlice(0, bytes.length)
                    .copyFrom(MemorySegment.ofArray(bytes));
            var answers = new ArrayList<NetlinkAnswer>();
            RdmaNetlink.take(SystemOperation.RDMA_NETLINK, datagram, SEQUENCE, answers);
            for (NetlinkAnswer answer : answers) {
                for (int attribute = 0; attribute < 8; attribute++) {
                    answer.number(attribute);
                    answer.text(attribute);
                    answer.entries(attribute, 6).forEach(entry -> entry.number(1));
                }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.cm.QueryAddresses;
import io.verbs4j.abi.cm.QueryGids;
import io.verbs4j.abi.cm.QueryPaths;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.SocketAddresses;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/// Answers queries about identifiers (`ucma_query`, ucma.c).
final class CmQueries {
    private static final int DEFAULT_PKEY = 0xffff;
    private static final int AF_IB = 27;
    private static final int AF_IB_BYTES = 48;
    private static final ValueLayout.OfLong BIG_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort BIG_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// `IB_PATH_GMP`, `IB_PATH_PRIMARY` and `IB_PATH_BIDIRECTIONAL`.
    private static final int FLAGS = 1 | 2 | 16;

    private CmQueries() {}

    static void addresses(CmIdentifier identifier, MemorySegment answer) {
        answer(identifier, answer, filled -> {
            if (identifier.state() != CmIdentifier.State.IDLE) {
                filled.set("src_size", SocketAddresses.write(filled.slice("src_addr"), identifier.local()));
            }
            if (identifier.hasRemote()) {
                filled.set("dst_size", SocketAddresses.write(filled.slice("dst_addr"), identifier.remote()));
            }
        });
    }

    static void gids(CmIdentifier identifier, MemorySegment answer) {
        answer(identifier, answer, filled -> {
            if (identifier.hasDevice()) {
                filled.set("src_size", AF_IB_BYTES).set("dst_size", AF_IB_BYTES);
                write(filled.slice("src_addr"), IpAddresses.address(identifier.local()));
                write(filled.slice("dst_addr"), IpAddresses.address(identifier.remote()));
            }
        });
    }

    private static void write(MemorySegment address, Address gid) {
        address.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) AF_IB);
        gid(address, QueryGids.GID_OFFSET, gid);
    }

    private static void gid(MemorySegment bytes, long offset, Address gid) {
        bytes.set(BIG_LONG, offset, gid.high());
        bytes.set(BIG_LONG, offset + Long.BYTES, gid.low());
    }

    private static void answer(
            CmIdentifier identifier, MemorySegment answer, Consumer<CView> content) {
        try (Arena arena = Arena.ofConfined()) {
            CView filled = QueryAddresses.RESPONSE.view(arena.allocate(QueryAddresses.RESPONSE.layout()));
            CmPort port = identifier.port();
            if (port != null) {
                filled.set("node_guid", port.node().guid())
                        .set("port_num", CmPort.NUMBER)
                        .set("pkey", DEFAULT_PKEY)
                        .set("ibdev_index", port.index());
            }
            content.accept(filled);
            long shared = Math.min(answer.byteSize(), filled.memory().byteSize());
            answer.asSlice(0, shared).copyFrom(filled.memory().asSlice(0, shared));
        }
    }

    /// Writes the path, if the route is resolved (`ib_sa_pack_path`, sa_query.c).
    static void paths(CmIdentifier identifier, MemorySegment answer) {
        int head = QueryPaths.RESPONSE.size();
        Refusal.unless(answer.byteSize() >= head, Errno.ENOSPC);
        CmPort port = identifier.port();
        boolean resolved = port != null && identifier.isRouted();
        answer.asSlice(0, head).fill((byte) 0).set(ValueLayout.JAVA_INT_UNALIGNED, 0, resolved ? 1 : 0);
        int each = QueryPaths.RECORD.size();
        if (port != null && resolved && answer.byteSize() >= head + each) {
            MemorySegment path = answer.asSlice(head, each).fill((byte) 0);
            path.set(ValueLayout.JAVA_INT_UNALIGNED, 0, FLAGS);
            record(path.asSlice(Long.BYTES), identifier, port);
        }
    }

    /// Writes the path record of the subnet administration (IBA volume 1, 15.2.5.16): GIDs, then bit fields.
    private static void record(MemorySegment path, CmIdentifier identifier, CmPort port) {
        gid(path, 8, IpAddresses.address(identifier.remote()));
        gid(path, 24, IpAddresses.address(identifier.local()));
        path.set(ValueLayout.JAVA_BYTE, 47, (byte) 64); // hops
        path.set(ValueLayout.JAVA_BYTE, 48, (byte) identifier.options.typeOfService);
        path.set(ValueLayout.JAVA_BYTE, 49, (byte) 0x81); // reversible, one path
        path.set(BIG_SHORT, 50, (short) DEFAULT_PKEY);
        path.set(ValueLayout.JAVA_BYTE, 54, (byte) (2 << 6 | port.mtuCode()));
    }
}

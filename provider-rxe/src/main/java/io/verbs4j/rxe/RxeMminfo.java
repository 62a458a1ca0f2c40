// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.spi.ring.MappedRing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/// `struct mminfo` (include/uapi/rdma/rdma_user_rxe.h): the mapping of a ring. Each create and resize command returns
/// one such struct per ring (`do_mmap_info`, rxe_queue.c). `rxe_mmap` (rxe_mmap.c) accepts each offset once.
///
/// @param offset the kernel's token for the ring: the offset argument of `mmap(2)`
/// @param size bytes, whole pages
record RxeMminfo(long offset, long size) {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "mminfo",
            u64("offset", "the kernel's token for the ring: the offset to give to mmap"),
            u32("size", "bytes, whole pages"),
            u32("pad"));

    static final StructLayout LAYOUT = STRUCT.layout();

    private static final VarHandle OFFSET =
            LAYOUT.varHandle(groupElement("offset")).withInvokeExactBehavior();
    private static final VarHandle SIZE = LAYOUT.varHandle(groupElement("size")).withInvokeExactBehavior();

    /// Reads the struct at offset `base` of a response.
    static RxeMminfo read(MemorySegment answer, long base) {
        return new RxeMminfo((long) OFFSET.get(answer, base), Integer.toUnsignedLong((int) SIZE.get(answer, base)));
    }

    /// Maps the ring.
    MappedRing map(CommandChannel channel) {
        return MappedRing.map(channel, offset, size);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Queries keys and range of a memory region, by `UVERBS_METHOD_QUERY_MR` only.
public final class QueryMemory {
    /// Queries keys and range of a memory region.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.MR, 3, "QUERY_MR");
    /// Handle.
    public static final UverbsAttribute QUERY_MR_HANDLE = METHOD.handle(0, "QUERY_MR_HANDLE");
    /// Out, u32.
    public static final UverbsAttribute QUERY_MR_RESP_LKEY = METHOD.out(1, "QUERY_MR_RESP_LKEY");
    /// Out, u32.
    public static final UverbsAttribute QUERY_MR_RESP_RKEY = METHOD.out(2, "QUERY_MR_RESP_RKEY");
    /// Out, u64: bytes.
    public static final UverbsAttribute QUERY_MR_RESP_LENGTH = METHOD.out(3, "QUERY_MR_RESP_LENGTH");
    /// Out, u64: address of the first byte for work requests.
    public static final UverbsAttribute QUERY_MR_RESP_IOVA = METHOD.out(4, "QUERY_MR_RESP_IOVA");
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query memory")
            .method(METHOD, "5.8")
            .reads(UverbsObject.MR);

    private QueryMemory() {}

    /// A memory region.
    ///
    /// @param lkey the key for local work requests
    /// @param rkey the key for the peer's requests
    /// @param length bytes
    /// @param iova the address of the first byte in work requests
    public record Response(int lkey, int rkey, long length, long iova) {}

    /// Queries a region.
    ///
    /// @param handle the region's handle
    public static Response execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment lkey = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment rkey = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment iova = arena.allocate(ValueLayout.JAVA_LONG);
            int result = IoctlCommand.of(arena, SPECIFICATION)
                    .handle(QUERY_MR_HANDLE, handle)
                    .out(QUERY_MR_RESP_LKEY, lkey)
                    .out(QUERY_MR_RESP_RKEY, rkey)
                    .out(QUERY_MR_RESP_LENGTH, length)
                    .out(QUERY_MR_RESP_IOVA, iova)
                    .execute(channel);
            SPECIFICATION.check(result);
            return new Response(
                    lkey.get(ValueLayout.JAVA_INT, 0),
                    rkey.get(ValueLayout.JAVA_INT, 0),
                    length.get(ValueLayout.JAVA_LONG, 0),
                    iova.get(ValueLayout.JAVA_LONG, 0));
        }
    }
}

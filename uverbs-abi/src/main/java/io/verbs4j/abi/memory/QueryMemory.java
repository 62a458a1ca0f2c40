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

/// Asks for keys and range of a memory region: by `UVERBS_METHOD_QUERY_MR`; there is no other way.
public final class QueryMemory {
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query memory")
            .method(UverbsMethod.QUERY_MR, "5.8")
            .reads(UverbsObject.MR);

    private QueryMemory() {}

    /// A memory region.
    ///
    /// @param lkey the key for our own work requests
    /// @param rkey the key for the peer's requests
    /// @param length bytes
    /// @param iova the address by which work requests and peers call the first byte
    public record Response(int lkey, int rkey, long length, long iova) {}

    /// Asks.
    ///
    /// @param handle the region's handle
    public static Response execute(CommandChannel channel, int handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment lkey = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment rkey = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment iova = arena.allocate(ValueLayout.JAVA_LONG);
            int result = IoctlCommand.of(arena, SPECIFICATION)
                    .handle(UverbsAttribute.QUERY_MR_HANDLE, handle)
                    .out(UverbsAttribute.QUERY_MR_RESP_LKEY, lkey)
                    .out(UverbsAttribute.QUERY_MR_RESP_RKEY, rkey)
                    .out(UverbsAttribute.QUERY_MR_RESP_LENGTH, length)
                    .out(UverbsAttribute.QUERY_MR_RESP_IOVA, iova)
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

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.types.QueuePairType;

/// The limits that a driver declares for a send queue. [SendChecks] uses them to reject requests that the device would
/// accept unchecked.
///
/// @param driver the provider's name, for messages
/// @param type transport
/// @param operations permitted operations
/// @param flags bits of [io.verbs4j.types.SendFlags] that a caller may set
/// @param maxScatterGather scatter/gather elements that the device accepts in one work request
/// @param maxReadScatterGather scatter/gather elements that the device accepts in an RDMA read
/// @param maxInlineData maximum number of inline bytes in an element
/// @param maxMessage longest message of the port in bytes
public record SendLimits(
        String driver,
        QueuePairType type,
        Operations operations,
        int flags,
        int maxScatterGather,
        int maxReadScatterGather,
        int maxInlineData,
        long maxMessage) {

    /// The operations of a send queue, as sets of opcodes ([OpcodeSet]).
    ///
    /// @param transfers sends, writes and reads of a connected queue pair
    /// @param datagrams sends of a datagram queue pair
    /// @param inline operations whose payload may be inline data
    /// @param atomics operations on 8 bytes with a result
    /// @param plain operations without a payload of their own: flush, bind, local invalidation, atomic write
    /// @param advice explains operations that are not permitted
    public record Operations(int transfers, int datagrams, int inline, int atomics, int plain, Advice advice) {}

    /// Explains why an operation is rejected.
    @FunctionalInterface
    public interface Advice {
        /// Returns the exception to throw.
        ///
        /// @param type the queue pair's transport
        /// @param opcode the operation, or any other number
        RuntimeException refuse(QueuePairType type, int opcode);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import java.util.List;

/// A work request as the device reads it from its ring, with 0 in every field that its operation does not have. Buffers
/// of 0 bytes are omitted. The identifier is not part of it: some devices do not receive it, and the completion has it.
///
/// @param opcode of [io.verbs4j.types.WorkRequestOpcode]; 0 for a receive
/// @param flags fence, signaled and solicited, bits of [io.verbs4j.types.SendFlags]
/// @param data immediate data in the processor's byte order, or the key to invalidate
/// @param remote the peer's address
/// @param rkey the peer's key
/// @param operand the value that an atomic compares with or adds
/// @param swap the value that a compare-and-swap stores
/// @param destination the peer's queue pair, for a datagram
/// @param qkey the peer's Q_Key, for a datagram
/// @param buffers the buffers, in order
/// @param inline the inline payload in hexadecimal digits
public record Element(
        int opcode,
        int flags,
        int data,
        long remote,
        int rkey,
        long operand,
        long swap,
        int destination,
        int qkey,
        List<Buffer> buffers,
        String inline) {

    /// A buffer of a work request.
    public record Buffer(long address, int length, int lkey) {}

    /// Returns a receive.
    public static Element receive(List<Buffer> buffers) {
        return new Element(0, 0, 0, 0, 0, 0, 0, 0, 0, buffers, "");
    }
}

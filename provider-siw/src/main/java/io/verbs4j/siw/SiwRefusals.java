// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.WorkRequestOpcode;

/// Creates exceptions for features that siw lacks, with the alternatives.
final class SiwRefusals {
    private SiwRefusals() {}

    /// Returns the exception for an operation that siw does not support.
    static RuntimeException operation(QueuePairType type, int opcode) {
        String instead = switch (opcode) {
            case WorkRequestOpcode.SEND_WITH_IMMEDIATE, WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE ->
                "iWARP has no immediate data: send the number in a message, after the write if there is one";
            case WorkRequestOpcode.COMPARE_AND_SWAP,
                    WorkRequestOpcode.FETCH_AND_ADD,
                    WorkRequestOpcode.ATOMIC_WRITE ->
                "siw has no atomics: send a message to the memory's owner, which executes the operation";
            case WorkRequestOpcode.BIND_MEMORY_WINDOW ->
                "siw has no memory windows: register a separate region for the peer";
            case WorkRequestOpcode.LOCAL_INVALIDATE ->
                "siw invalidates keys for the kernel only: deregister the region";
            case WorkRequestOpcode.FLUSH ->
                "siw has no flush: read a written byte; the answer arrives after the write";
            default -> "";
        };
        return instead.isEmpty()
                ? new IllegalArgumentException("opcode=" + WorkRequestOpcode.name(opcode)
                        + " cannot be posted to a queue pair of type " + type + " by this method")
                : unsupported("post " + WorkRequestOpcode.name(opcode), instead);
    }

    /// Returns the exception for a fenced read. The kernel would end the connection.
    static RuntimeException fencedRead() {
        return unsupported(
                "post a fenced RDMA_READ",
                "siw would end the connection: wait for the completions of the earlier reads, then post it without"
                        + " FENCE");
    }

    /// Returns the exception for a feature that siw does not support.
    static NotSupportedException unsupported(String what, String instead) {
        return new NotSupportedException(what, Errno.EOPNOTSUPP, instead);
    }
}

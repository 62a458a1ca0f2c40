// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;

/// The exceptions of streams.
final class StreamFailures {
    private StreamFailures() {}

    /// Returns the exception for a peer that violates the protocol.
    static VerbsException protocol(String detail) {
        return new VerbsException(
                "exchange stream data",
                Errno.EPROTO,
                "the peer violates the rsockets protocol: " + detail + "; close the stream");
    }

    /// Returns the exception for a peer of another protocol.
    static VerbsException version(int version) {
        return KernelErrors.failure(
                "connect stream",
                Errno.EPROTONOSUPPORT,
                "the peer uses version " + version + " of the rsockets protocol, this end version " + Greeting.VERSION
                        + "; check that the peer uses rsockets or RdmaStream");
    }

    /// Returns the exception for a work request that failed.
    static VerbsException failed(CompletionStatus status) {
        return KernelErrors.failure(
                "exchange stream data",
                Errno.ECONNRESET,
                "a work request failed: " + status
                        + "; the peer is gone, or announced memory that it has not registered");
    }

    /// Returns the exception for a work request that could not be posted.
    static VerbsException refused(RuntimeException cause) {
        var failure = new VerbsException(
                "exchange stream data", Errno.ECONNRESET,
                "a work request could not be posted: " + cause.getMessage() + "; close the stream");
        failure.initCause(cause);
        return failure;
    }

    /// Returns the exception for a connection that ended without a disconnect message.
    static VerbsException reset() {
        return new VerbsException(
                "exchange stream data",
                Errno.ECONNRESET,
                "the connection has ended without the peer having closed the stream: its program has died, or its device is"
                        + " gone");
    }

    /// Returns the exception for writing to a peer that no longer reads.
    static VerbsException peerClosed() {
        return new VerbsException("write to stream", Errno.ECONNRESET,
                "the peer has closed the stream, and accepts no more bytes");
    }

    /// Returns the exception for a timeout.
    static VerbsException timeout(String operation, String hint) {
        return new VerbsException(operation, Errno.ETIMEDOUT, hint);
    }

    /// Returns the exception for a mapping that the peer has no room for.
    static VerbsException noMapping(int most) {
        return new VerbsException(
                "map memory of stream",
                Errno.ENOSPC,
                "the peer has room for " + most + " mappings, and none is free; close one, or let the peer offer more"
                        + " (StreamOptions.withMappings, RDMA_IOMAPSIZE in C)");
    }

    /// Returns the exception for an offset at which the peer has mapped nothing.
    static VerbsException notMapped(long offset) {
        return new VerbsException(
                "write to the peer's memory", Errno.EINVAL, "the peer has mapped nothing at offset " + offset);
    }
}

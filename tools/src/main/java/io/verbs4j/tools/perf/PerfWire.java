// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.io.IOException;

/// Carries perftest's conversation: each message is one write. For one thread.
interface PerfWire extends AutoCloseable {
    /// Sends a message.
    void write(byte[] message) throws IOException;

    /// Receives a message of a length that both ends know.
    ///
    /// @throws java.io.EOFException if the peer has gone
    /// @throws java.net.SocketTimeoutException if it is silent for too long
    void read(byte[] message) throws IOException;

    /// From now on the peer may be silent for as long as it likes.
    void allowSilence() throws IOException;

    /// Returns whether addresses are structs, as over RDMA, or texts.
    boolean hasStructs();

    @Override
    void close() throws IOException;
}

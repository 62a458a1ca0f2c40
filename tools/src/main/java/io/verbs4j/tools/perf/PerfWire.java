// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.io.IOException;

/// Carries the messages of perftest's exchange, each in a single write. Not thread-safe.
interface PerfWire extends AutoCloseable {
    /// Sends a message.
    void write(byte[] message) throws IOException;

    /// Receives a message of a length that both ends know.
    ///
    /// @throws java.io.EOFException if the peer has closed the connection
    /// @throws java.net.SocketTimeoutException after the timeout
    void read(byte[] message) throws IOException;

    /// Disables the timeout.
    void allowSilence() throws IOException;

    /// Returns whether addresses are sent as structs, as over RDMA. Otherwise they are sent as text.
    boolean hasStructs();

    @Override
    void close() throws IOException;
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.stream.StreamEndpoint;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Connections over RDMA that the program has not taken from a listener yet. Thread-safe.
///
/// Each connection needs memory for rings, and the peers decide how many connections they make. Therefore a connection
/// occupies a place in the listener's backlog until the program takes the connection.
final class AcceptQueue {
    private final Queue<StreamEndpoint> waiting = new ConcurrentLinkedQueue<>();
    /// The program adds a permit with each connection that it takes. A thread in [#add] waits for a permit.
    private final Semaphore taken = new Semaphore(0);

    /// Adds a connection, and waits until the program has taken this connection or an earlier one. Runs in the virtual
    /// thread that occupies the place in the backlog.
    ///
    /// @param added runs before the wait
    void add(StreamEndpoint connection, Runnable added) {
        waiting.add(connection);
        added.run();
        taken.acquireUninterruptibly();
    }

    @Nullable
    StreamEndpoint take() {
        StreamEndpoint connection = waiting.poll();
        if (connection != null) {
            taken.release();
        }
        return connection;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// Resets all connections that the program has not taken.
    void abortAll() {
        for (StreamEndpoint connection = take(); connection != null; connection = take()) {
            connection.abort();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.stream.StreamEndpoint;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Connections over RDMA that the program has not taken from a listener yet. Thread-safe.
///
/// The peer decides how often it connects, and each connection needs rings. Therefore a connection occupies a place in the listener's
/// backlog until the program takes it.
final class AcceptQueue {
    private final Queue<StreamEndpoint> waiting = new ConcurrentLinkedQueue<>();
    /// Has a permit for each connection that was taken, until a thread that has added one takes the permit.
    private final Semaphore taken = new Semaphore(0);

    /// Adds a connection, and waits until the program has taken it or one that was added before. Runs in a virtual thread, which holds the
    /// place in the backlog.
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

    /// Resets all peers.
    void abortAll() {
        for (StreamEndpoint connection = take(); connection != null; connection = take()) {
            connection.abort();
        }
    }
}

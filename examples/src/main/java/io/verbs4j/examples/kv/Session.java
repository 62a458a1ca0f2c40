// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.examples.kv;

import io.verbs4j.async.AsyncQueuePair;
import io.verbs4j.async.Dispatcher;
import io.verbs4j.async.MessageChannel;
import io.verbs4j.async.SlabPool;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/// One end of a connection with all that messages over it need. It is made while the connection is prepared, so that its receives wait
/// before the peer can send.
final class Session implements AutoCloseable {
    /// Longest request or answer.
    static final int MESSAGE_BYTES = 4096;

    private static final int WINDOW = 8;
    private static final int SPARE = 4;
    private static final int BUFFERS = WINDOW + SPARE + 4;
    private static final int OPERATIONS = 2 * (WINDOW + SPARE);

    /// Makes a connection, by the options that it is given.
    interface Maker {
        RdmaConnection make(ConnectionOptions options) throws InterruptedException;
    }

    private final RdmaConnection connection;
    private final Dispatcher dispatcher;
    private final SlabPool pool;
    private final MessageChannel channel;

    private Session(RdmaConnection connection) {
        this.connection = connection;
        this.dispatcher = Dispatcher.start(connection.completionQueue(), OPERATIONS);
        this.pool = SlabPool.allocate(connection.protectionDomain(), BUFFERS, MESSAGE_BYTES, Access.LOCAL_WRITE);
        this.channel = MessageChannel.open(AsyncQueuePair.of(dispatcher, connection.queuePair()), pool, WINDOW);
    }

    /// Makes a connection and its session.
    static Session of(Maker maker) throws InterruptedException {
        var session = new AtomicReference<Session>();
        var options = ConnectionOptions.defaults()
                .withTimeout(Duration.ofMinutes(1))
                .withQueues(WINDOW + SPARE, WINDOW + SPARE)
                .withPreparation(prepared -> session.set(new Session(prepared)));
        try {
            maker.make(options);
        } catch (RuntimeException | InterruptedException e) {
            Session prepared = session.get();
            if (prepared != null) {
                prepared.release();
            }
            throw e;
        }
        return session.get();
    }

    MessageChannel channel() {
        return channel;
    }

    /// Ends the connection, then all work of its queue pair, and frees the memory when the device has left it.
    @Override
    public void close() {
        try {
            connection.disconnect();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            // It has ended already.
        }
        release();
        connection.close();
    }

    private void release() {
        channel.close();
        pool.close();
        dispatcher.close();
    }
}

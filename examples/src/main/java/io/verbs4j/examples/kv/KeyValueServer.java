// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.examples.kv;

import io.verbs4j.cm.IncomingConnection;
import io.verbs4j.cm.IncomingMessage;
import io.verbs4j.cm.OutgoingMessage;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Serves a store of keys and values. Each client has a virtual thread.
public final class KeyValueServer implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.examples.kv");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final byte[] NOTHING = {};
    private static final int BACKLOG = 128;

    private final RdmaServer server;
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();
    private final Set<Thread> clients = ConcurrentHashMap.newKeySet();
    private final Thread accepting;
    private volatile boolean closed;

    private KeyValueServer(RdmaServer server) {
        this.server = server;
        this.accepting = Thread.ofVirtual().name("accept").start(this::accept);
    }

    /// Starts a server.
    ///
    /// @param address address of an RDMA device
    public static KeyValueServer listen(InetSocketAddress address) {
        return new KeyValueServer(
                RdmaServer.listen(address, Protocol.OPTIONS, BACKLOG, identifier -> {}));
    }

    private void accept() {
        while (!closed) {
            try {
                var request = server.next();
                clients.add(Thread.ofVirtual().name("client").start(() -> serve(request)));
            } catch (InterruptedException | IllegalStateException e) {
                return; // closed
            }
        }
    }

    private void serve(IncomingConnection request) {
        try (RdmaConnection connection = request.accept()) {
            while (!closed) {
                try (IncomingMessage question = connection.messages().take(Duration.ofMillis(500))) {
                    if (question != null) {
                        answer(connection, question);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (VerbsException | IndexOutOfBoundsException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "a client has disconnected", e);
        } finally {
            clients.remove(Thread.currentThread());
        }
    }

    private void answer(RdmaConnection connection, IncomingMessage question) throws InterruptedException {
        try (OutgoingMessage answer = connection.messages().compose(TIMEOUT)) {
            if (answer == null) {
                throw new VerbsException("answer", Errno.ETIMEDOUT, "the client does not read answers");
            }
            answer.send(execute(question.segment(), answer.segment()));
        }
    }

    private int execute(MemorySegment request, MemorySegment answer) {
        String key = Protocol.key(request);
        byte[] value = switch (Protocol.kind(request)) {
            case Protocol.GET -> values.get(key);
            case Protocol.PUT -> values.put(key, Protocol.value(request));
            case Protocol.REMOVE -> values.remove(key);
            default -> null;
        };
        return value == null
                ? Protocol.write(answer, Protocol.ABSENT, "", NOTHING)
                : Protocol.write(answer, Protocol.FOUND, "", value);
    }

    /// Returns the number of stored keys.
    public int size() {
        return values.size();
    }

    /// Ends all connections.
    @Override
    public void close() {
        closed = true;
        server.close();
        end(accepting);
        clients.forEach(KeyValueServer::end);
    }

    /// Waits for the end of a thread. If interrupted, restores the interrupt afterwards.
    private static void end(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.examples.kv;

import io.verbs4j.cm.IncomingMessage;
import io.verbs4j.cm.OutgoingMessage;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/// A connection to a store. Not thread-safe.
public final class KeyValueClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final byte[] NOTHING = {};

    private final RdmaConnection connection;

    private KeyValueClient(RdmaConnection connection) {
        this.connection = connection;
    }

    /// Connects to a server.
    public static KeyValueClient connect(InetSocketAddress address) throws InterruptedException {
        return new KeyValueClient(RdmaConnection.connect(address, Protocol.OPTIONS));
    }

    /// Returns the value of a key.
    public Optional<byte[]> get(String key) throws InterruptedException {
        return ask(Protocol.GET, key, NOTHING);
    }

    /// Sets the value of a key.
    ///
    /// @return the previous value
    public Optional<byte[]> put(String key, byte[] value) throws InterruptedException {
        return ask(Protocol.PUT, key, value);
    }

    /// Removes a key.
    ///
    /// @return the previous value
    public Optional<byte[]> remove(String key) throws InterruptedException {
        return ask(Protocol.REMOVE, key, NOTHING);
    }

    private Optional<byte[]> ask(byte kind, String key, byte[] value) throws InterruptedException {
        try (OutgoingMessage question = connection.messages().compose(TIMEOUT)) {
            if (question == null) {
                throw silence(key);
            }
            question.send(Protocol.write(question.segment(), kind, key, value));
        }
        try (IncomingMessage answer = connection.messages().take(TIMEOUT)) {
            if (answer == null) {
                throw silence(key);
            }
            var segment = answer.segment();
            return Protocol.kind(segment) == Protocol.FOUND ? Optional.of(Protocol.value(segment)) : Optional.empty();
        }
    }

    private static VerbsException silence(String key) {
        return new VerbsException("request value of " + key, Errno.ETIMEDOUT, "the server does not answer");
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (VerbsException e) {
            if (e.errno() != Errno.ECONNRESET) {
                throw e;
            }
            // A request did not reach the server. Its call has already failed with a timeout.
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.examples.kv;

import io.verbs4j.async.Lease;
import io.verbs4j.async.Message;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/// A connection to a store. One thread at a time uses it.
public final class KeyValueClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] NOTHING = {};

    private final Session session;

    private KeyValueClient(Session session) {
        this.session = session;
    }

    /// Connects to a server.
    public static KeyValueClient connect(InetSocketAddress address) throws InterruptedException {
        return new KeyValueClient(Session.of(options -> RdmaConnection.connect(address, options)));
    }

    /// Returns the value of a key.
    public Optional<byte[]> get(String key) throws InterruptedException {
        return ask(Protocol.GET, key, NOTHING);
    }

    /// Sets the value of a key.
    ///
    /// @return the value that it had
    public Optional<byte[]> put(String key, byte[] value) throws InterruptedException {
        return ask(Protocol.PUT, key, value);
    }

    /// Removes a key.
    ///
    /// @return the value that it had
    public Optional<byte[]> remove(String key) throws InterruptedException {
        return ask(Protocol.REMOVE, key, NOTHING);
    }

    private Optional<byte[]> ask(byte kind, String key, byte[] value) throws InterruptedException {
        try (Lease lease = session.channel().lease()) {
            session.channel().send(lease, Protocol.write(lease.segment(), kind, key, value), PATIENCE);
        }
        try (Message answer = session.channel().receive(PATIENCE)) {
            if (answer == null) {
                throw new VerbsException("ask for " + key, Errno.ETIMEDOUT, "the server does not answer");
            }
            var segment = answer.segment();
            return Protocol.kind(segment) == Protocol.FOUND ? Optional.of(Protocol.value(segment)) : Optional.empty();
        }
    }

    @Override
    public void close() {
        session.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.MigrateIdentifier;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;

/// Runs the commands of one identifier on its channel's file. Commands may run concurrently. Closing and migrating wait
/// for them and run alone, because the kernel may reuse the number of a destroyed identifier immediately.
final class IdentifierCommands {
    private final Identifier identifier;
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
    private volatile EventChannel channel;
    private volatile boolean closed;

    IdentifierCommands(Identifier identifier, EventChannel channel) {
        this.identifier = identifier;
        this.channel = channel;
    }

    EventChannel channel() {
        return channel;
    }

    boolean isClosed() {
        return closed || channel.isClosed();
    }

    /// Runs a command.
    ///
    /// @throws IllegalStateException if the identifier or its channel is closed
    void run(Consumer<DeviceFile> command) {
        call(file -> {
            command.accept(file);
            return this;
        });
    }

    /// Runs a command, and returns its result.
    ///
    /// @throws IllegalStateException if the identifier or its channel is closed
    <T> T call(Function<DeviceFile, T> command) {
        Lock shared = use.readLock();
        shared.lock();
        try {
            EventChannel current = channel;
            requireOpen(current);
            try {
                return command.apply(current.file());
            } catch (VerbsException e) {
                throw current.closedInstead(e);
            }
        } finally {
            shared.unlock();
        }
    }

    /// Runs a command alone, unless the identifier is closed.
    void aloneUnlessClosed(Consumer<DeviceFile> command) {
        Lock exclusive = use.writeLock();
        exclusive.lock();
        try {
            if (!isClosed()) {
                command.accept(channel.file());
            }
        } finally {
            exclusive.unlock();
        }
    }

    /// Moves the identifier to a channel, which may be its own.
    ///
    /// @param number the kernel's number for the identifier
    /// @param name the number by which channels find the identifier
    void migrate(EventChannel to, int number, long name) {
        Lock exclusive = use.writeLock();
        exclusive.lock();
        try {
            EventChannel from = channel;
            requireOpen(from);
            to.requireOpen();
            if (from == to) {
                return;
            }
            from.whileNotTaking(() -> {
                to.put(name, identifier);
                try {
                    MigrateIdentifier.execute(to.file(), number, from.fileDescriptor());
                } catch (VerbsException e) {
                    to.remove(name);
                    throw to.closedInstead(e);
                }
                channel = to;
                from.remove(name);
            });
        } finally {
            exclusive.unlock();
        }
    }

    /// Closes the identifier. Idempotent.
    ///
    /// @param destroy the destroying command; skipped if the channel is closed, because closing the channel destroys
    ///     its identifiers
    /// @param forget runs after `destroy`
    void close(Consumer<DeviceFile> destroy, Consumer<EventChannel> forget) {
        Lock exclusive = use.writeLock();
        exclusive.lock();
        try {
            if (closed) {
                return;
            }
            EventChannel current = channel;
            if (!current.isClosed()) {
                try {
                    destroy.accept(current.file());
                } catch (VerbsException e) {
                    if (e.errno() != Errno.EBADF) {
                        throw e;
                    }
                }
            }
            closed = true;
            forget.accept(current);
        } finally {
            exclusive.unlock();
        }
    }

    private void requireOpen(EventChannel current) {
        if (closed) {
            throw new IllegalStateException(identifier + " is closed");
        }
        current.requireOpen();
    }
}

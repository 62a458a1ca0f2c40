// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionChannel;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The completion channel of a connection of a group. The channel's events belong to the common [CompletionWatch] or to
/// a watch of the program. On a simulated device, a virtual thread waits.
final class CompletionEvents implements AutoCloseable {
    private static final Duration LONG = Duration.ofDays(365);

    private final CompletionChannel channel;
    private volatile @Nullable Runnable handler;
    private volatile @Nullable Consumer<VerbsException> failing;
    private volatile @Nullable VerbsException failure;
    private volatile @Nullable CompletionWatch watch; // null: the common one

    /// @param channel closed after this object
    CompletionEvents(CompletionChannel channel) {
        this.channel = channel;
        if (isWatchable()) {
            CompletionWatch.common().add(this);
        } else {
            Thread.ofVirtual().name("verbs4j " + channel).start(() -> {
                boolean more = true;
                while (more) {
                    more = take(LONG);
                }
            });
        }
    }

    CompletionChannel channel() {
        return channel;
    }

    /// @param failed called, perhaps more than once, if the kernel refuses to wait for events
    void handle(Runnable action, Consumer<VerbsException> failed) {
        handler = action;
        failing = failed;
        VerbsException cause = failure;
        if (cause != null) {
            failed.accept(cause);
        }
    }

    /// Reports that the kernel refuses to wait for events. Never throws, so that an exception of one connection's
    /// program does not keep the report from the other connections.
    void fail(VerbsException cause) {
        failure = cause;
        try {
            Consumer<VerbsException> failed = failing;
            if (failed != null) {
                failed.accept(cause);
            }
        } catch (Throwable e) {
            Log.survived(channel, e);
        }
    }

    /// Returns whether the events belong to the common watch.
    boolean isCommon() {
        return watch == null;
    }

    boolean isWatchable() {
        return channel.fileDescriptor() >= 0;
    }

    /// Moves the events to a watch. One thread at a time may call this.
    ///
    /// @param next null for the common one
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses to add the channel to `next`; the events then stay
    ///     in their former watch. Not thrown if `next` is null.
    void watch(@Nullable CompletionWatch next) {
        CompletionWatch former = watch;
        if (former == next) {
            return;
        }
        if (next != null) {
            next.add(this);
        }
        CompletionWatch.common().report(this, next == null);
        if (former != null) {
            former.remove(this);
        }
        watch = next;
    }

    /// Takes an event, and runs the handler. An interrupted thread takes the event, too, because the channel stays
    /// readable until then. The thread stays interrupted.
    ///
    /// @return false if there will be no more events
    boolean take(Duration timeout) {
        boolean interrupted = Thread.interrupted();
        try {
            if (channel.take(timeout) != null) {
                runHandler();
            }
            return true;
        } catch (InterruptedException e) {
            interrupted = true;
            return true;
        } catch (DeviceGoneException | IllegalStateException e) {
            return false;
        } catch (Throwable e) {
            Log.survived(channel, e);
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Never throws, so that an exception of the handler cannot be mistaken for the end of the channel.
    private void runHandler() {
        try {
            Runnable action = handler;
            if (action != null) {
                action.run();
            }
        } catch (Throwable e) {
            Log.survived(channel, e);
        }
    }

    @Override
    public void close() {
        if (isWatchable()) {
            watch(null);
            CompletionWatch.common().remove(this);
        }
    }
}

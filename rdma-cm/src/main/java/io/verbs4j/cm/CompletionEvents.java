// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionChannel;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.VerbsException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The completion channel of a connection of a group. The channel's events belong to the common [CompletionWatch] or to
/// a watch of the program. On a simulated device, a virtual thread waits.
final class CompletionEvents implements AutoCloseable {
    private static final Duration LONG = Duration.ofDays(365);
    private static final long PAUSE_NANOS = 10_000_000;

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

    /// Reports that the kernel refuses to wait for events.
    void fail(VerbsException cause) {
        failure = cause;
        Consumer<VerbsException> failed = failing;
        if (failed != null) {
            failed.accept(cause);
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

    /// Takes an event, and runs the handler.
    ///
    /// @return false if there will be no more events
    boolean take(Duration timeout) {
        try {
            if (channel.take(timeout) != null) {
                Runnable action = handler;
                if (action != null) {
                    action.run();
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // a thread of the program, which takes the event later
            return true;
        } catch (DeviceGoneException | IllegalStateException e) {
            return false; // handlers do not throw this
        } catch (RuntimeException e) {
            Log.LOGGER.log(Level.WARNING, "cannot handle an event of " + channel + "; continuing with the next", e);
            LockSupport.parkNanos(PAUSE_NANOS);
            return true;
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

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.os.EventSet;
import io.verbs4j.abi.os.NumberedObjects;
import io.verbs4j.types.VerbsException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A file descriptor that is readable while any of its connections has a completion event. A program that waits for
/// descriptors can wait for this one as well, instead of leaving the events to a thread of verbs4j.
///
/// @see RdmaConnection#watch
public final class CompletionWatch implements AutoCloseable {
    /// Up to this number of connections, reading every channel takes no longer than asking the kernel which channels
    /// have an event.
    private static final int FEW = 3;

    private static final ReentrantLock STARTING = new ReentrantLock();
    private static volatile @Nullable CompletionWatch common;

    private final EventSet set = new EventSet();
    /// The connections' completion events, by file descriptor.
    private final NumberedObjects<CompletionEvents> members = new NumberedObjects<>();
    // Created once, so that handling an event allocates nothing.
    private final Consumer<CompletionEvents> handling = this::handle;
    private final LongConsumer found = this::handleMember;
    /// The reason why the thread of the common watch has ended.
    private volatile @Nullable VerbsException failure;

    private CompletionWatch() {}

    /// Returns the common watch. Each watchable connection of a group is a member. A daemon thread waits for the
    /// events, except those of members that are also in a watch of the program.
    static CompletionWatch common() {
        CompletionWatch watch = common;
        return watch == null ? started() : watch;
    }

    private static CompletionWatch started() {
        STARTING.lock();
        try (var rollback = new Rollback()) {
            CompletionWatch watch = common;
            if (watch == null) {
                watch = rollback.make(CompletionWatch::create, CompletionWatch::close);
                watch.start();
                common = watch; // only now, so that the next connection tries again after a failure
            }
            rollback.keep();
            return watch;
        } finally {
            STARTING.unlock();
        }
    }

    /// Creates a watch without connections.
    ///
    /// @throws io.verbs4j.types.ResourceLimitException if the process has no file descriptor left
    public static CompletionWatch create() {
        return new CompletionWatch();
    }

    /// Makes another file descriptor of this process refer to the watch (`dup3(2)`). The kernel closes that
    /// descriptor's former file.
    public void replace(int fileDescriptor) {
        set.replace(fileDescriptor);
    }

    void add(CompletionEvents events) {
        int fd = events.channel().fileDescriptor();
        set.add(fd, fd);
        members.put(fd, events);
        failIfUnhandled(events);
    }

    /// Enables or disables the events of a member.
    void report(CompletionEvents events, boolean reported) {
        int fd = events.channel().fileDescriptor();
        set.report(fd, fd, reported);
        if (reported) {
            failIfUnhandled(events);
        }
    }

    private void failIfUnhandled(CompletionEvents events) {
        VerbsException cause = failure;
        if (cause != null) {
            events.fail(cause);
        }
    }

    void remove(CompletionEvents events) {
        int fd = events.channel().fileDescriptor();
        if (members.remove(fd, events)) {
            set.remove(fd);
        }
    }

    /// Handles the events that have arrived, without waiting. One thread at a time may call this.
    ///
    /// @throws VerbsException if the kernel refuses to report the events
    /// @see RdmaConnection#onCompletionEvent
    public void handle() {
        if (members.size() <= FEW) {
            members.forEach(handling);
        } else {
            set.take(false, found);
        }
    }

    private void handleMember(long fd) {
        CompletionEvents events = members.get(fd);
        if (events != null) {
            handle(events);
        }
    }

    private void handle(CompletionEvents events) {
        if (!events.take(Duration.ZERO)) {
            remove(events);
        }
    }

    /// Starts a thread that handles the events, until the kernel refuses to wait.
    Thread start() {
        return Thread.ofPlatform()
                .name("verbs4j completions")
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(() -> {
                    try {
                        while (true) {
                            handleNext();
                        }
                    } catch (VerbsException e) {
                        Log.LOGGER.log(Level.ERROR, "cannot wait for completion events; the connections fail", e);
                        failure = e;
                        members.forEach(events -> {
                            if (events.isCommon()) {
                                events.fail(e);
                            }
                        });
                    }
                });
    }

    /// @throws VerbsException if the kernel refuses to wait
    private void handleNext() {
        try {
            set.take(true, found);
        } catch (Error e) {
            Log.survived("the connections of groups", e);
        }
    }

    /// Closes the watch. Move its connections to another one first. Idempotent.
    @Override
    public void close() {
        set.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.jfr.FlightRecords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Notifies sleeping threads of completions in completion queues. Thread-safe, and suitable for virtual threads.
///
/// Taking an event acknowledges it. In libibverbs, each event must be acknowledged before its queue can be destroyed.
/// verbs4j has no such rule, because events refer to queues by numbers instead of addresses.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_comp_channel.3.html">ibv_create_comp_channel(3)</a>
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_cq_event.3.html">ibv_get_cq_event(3)</a>
public final class CompletionChannel extends VerbsObject {
    /// Length of `struct ib_uverbs_comp_event_desc`: the queue's user handle.
    private static final long RECORD_BYTES = Long.BYTES;

    private final Context context;
    private final EventReader reader;
    /// The queues with events that arrived and were not taken. Guarded by the reader's lock.
    private final Queue<CompletionQueue> pending = new ArrayDeque<>();
    private final EventReader.Source<CompletionQueue> taking = _ -> takeAny();

    CompletionChannel(Context context, EventFile file) {
        super(List.of(context));
        this.context = context;
        this.reader = new EventReader(file, "get completion event", RECORD_BYTES, this::deliver);
    }

    /// Returns the context that the channel was created from.
    public Context context() {
        return context;
    }

    /// Returns the file descriptor, which is readable while there is an event; negative for a simulated device.
    public int fileDescriptor() {
        EventFile file = reader.file();
        return file.isOfSystem() ? file.fileDescriptor() : -1;
    }

    private void deliver(MemorySegment record) {
        long userHandle = record.get(ValueLayout.JAVA_LONG, 0);
        if (context.handles().get(userHandle) instanceof CompletionQueue queue) {
            deliver(queue);
        }
    }

    private void deliver(CompletionQueue queue) {
        if (queue.pendingEvents == 0) {
            pending.add(queue);
        }
        queue.pendingEvents++;
        queue.announce();
        FlightRecords.notification(queue);
    }

    /// Waits for an event of any of the channel's queues, and takes the event.
    ///
    /// @param timeout the longest wait
    /// @return the event's queue, or null after the timeout
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the channel is closed, before or during the wait
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    public @Nullable CompletionQueue take(Duration timeout) throws InterruptedException {
        requireOpen();
        return reader.await(taking, 0, Deadline.after(timeout));
    }

    private @Nullable CompletionQueue takeAny() {
        CompletionQueue queue = pending.peek();
        if (queue != null) {
            takeOne(queue);
        }
        return queue;
    }

    private void takeOne(CompletionQueue queue) {
        if (queue.pendingEvents > 0 && --queue.pendingEvents == 0) {
            pending.remove(queue);
        }
    }

    /// Waits until more than `before` events of a queue have arrived, and takes one if no other thread has. The kernel
    /// keeps one notification per queue, even if several threads arm the queue. Therefore, one event wakes all of these
    /// threads.
    ///
    /// @param source the result of [#eventsOf] for the queue
    /// @param before the value of [CompletionQueue#announcements()] before the queue was armed
    /// @param deadline as [Deadline] returns it
    /// @return false after the deadline
    boolean awaitEvent(EventReader.Source<CompletionQueue> source, long before, long deadline)
            throws InterruptedException {
        requireOpen();
        return reader.await(source, before, deadline) != null;
    }

    /// Returns the source of a queue's events. It is created together with the queue, so that waiting allocates
    /// nothing.
    EventReader.Source<CompletionQueue> eventsOf(CompletionQueue queue) {
        return before -> {
            if (queue.isClosed()) {
                throw queue.closed();
            }
            if (!queue.isUsable() || queue.announcements() == before) { // a close may still be refused
                return null;
            }
            takeOne(queue);
            return queue;
        };
    }

    /// Returns the action that delivers an event of a queue to waiting threads, in place of the kernel. The file
    /// descriptor does not become readable.
    Runnable announcing(CompletionQueue queue) {
        Runnable delivery = () -> {
            if (!queue.isClosed()) {
                deliver(queue);
            }
        };
        return () -> reader.update(delivery);
    }

    /// Returns the action for [#closeEnded]. It is created together with the queue, since a close must not need heap.
    Runnable leaving(CompletionQueue queue) {
        return () -> {
            if (queue.isClosed()) {
                pending.remove(queue);
            }
        };
    }

    /// Drops the events of a closed queue, and wakes the threads that wait for the queue. If the close was refused,
    /// these threads poll again.
    void closeEnded(Runnable leaving) {
        reader.update(leaving);
    }

    EventFile events() {
        return reader.file();
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.COMPLETION_CHANNEL;
    }

    @Override
    void destroy() {
        reader.close();
    }

    @Override
    public String toString() {
        return "completion channel " + reader.file().fileDescriptor();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.jfr;

import io.verbs4j.types.Errno;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// Writes events for the Flight Recorder.
///
/// Callers first check whether an event is enabled. Before the first recording, this is a load and a comparison, and no
/// event class is loaded, which would take longer than opening a device. Afterwards it is one more of each. Nothing is
/// allocated. The module `jdk.jfr` is optional.
@SuppressWarnings("UnusedVariable") // the recorder reads the fields of events
public final class FlightRecords {
    private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecords() {}

    private static boolean recorder() {
        return PRESENT && FlightRecorder.isInitialized();
    }

    // One event of each kind, to check whether it is enabled.
    private static final class Probes {
        static final VerbEvent VERB = new VerbEvent();
        static final DoorbellEvent DOORBELL = new DoorbellEvent();
        static final CompletionsEvent COMPLETIONS = new CompletionsEvent();
        static final QueueFullEvent QUEUE_FULL = new QueueFullEvent();
        static final CompletionNotificationEvent NOTIFICATION = new CompletionNotificationEvent();
        static final AsyncEvent ASYNC = new AsyncEvent();
    }

    /// Returns whether calls of the kernel are recorded.
    public static boolean verbs() {
        return recorder() && Probes.VERB.isEnabled();
    }

    /// Executes a call of the kernel and records it.
    ///
    /// @param verb its name; null if it is unknown
    /// @param call executes it; a negative result is an error
    /// @param handle returns the object's handle afterwards; -1 for none
    /// @return the call's result
    public static int verb(@Nullable String verb, String device, IntSupplier call, LongSupplier handle) {
        var event = new VerbEvent();
        event.begin();
        int result = call.getAsInt();
        event.end();
        if (event.shouldCommit()) {
            event.verb = verb == null ? "?" : verb;
            event.device = device;
            event.handle = handle.getAsLong();
            event.errno = Math.max(0, -result);
            event.errnoName = result < 0 ? Errno.name(-result) : "";
            event.commit();
        }
        return result;
    }

    /// Returns whether doorbells are recorded.
    public static boolean doorbells() {
        return recorder() && Probes.DOORBELL.isEnabled();
    }

    /// Rings a doorbell and records it.
    ///
    /// @param queuePair the queue pair's number
    /// @param workRequests number of waiting work requests
    /// @param doorbell rings the doorbell; a negative result is an error
    /// @return the doorbell's result
    public static int doorbell(int queuePair, int workRequests, IntSupplier doorbell) {
        var event = new DoorbellEvent();
        event.begin();
        int result = doorbell.getAsInt();
        event.end();
        if (event.shouldCommit()) {
            event.queuePair = queuePair;
            event.workRequests = workRequests;
            event.errno = Math.max(0, -result);
            event.commit();
        }
        return result;
    }

    /// Returns whether batches of completions are recorded.
    public static boolean completions() {
        return recorder() && Probes.COMPLETIONS.isEnabled();
    }

    /// Records a batch of completions.
    ///
    /// @param completionQueue the queue's handle
    public static void completions(int completionQueue, int count) {
        var event = new CompletionsEvent();
        event.completionQueue = completionQueue;
        event.count = count;
        event.commit();
    }

    /// Records that a work request did not fit into its ring, if such events are recorded.
    public static void queueFull(Object queue) {
        if (recorder() && Probes.QUEUE_FULL.isEnabled()) {
            var event = new QueueFullEvent();
            event.queue = queue.toString();
            event.commit();
        }
    }

    /// Records that a completion channel reported a queue, if such events are recorded.
    public static void notification(Object queue) {
        if (recorder() && Probes.NOTIFICATION.isEnabled()) {
            var event = new CompletionNotificationEvent();
            event.queue = queue.toString();
            event.commit();
        }
    }

    /// Records an asynchronous event, if such events are recorded.
    ///
    /// @param element the port, or the object's number
    public static void async(Object type, long element) {
        if (recorder() && Probes.ASYNC.isEnabled()) {
            var event = new AsyncEvent();
            event.type = type.toString();
            event.element = element;
            event.commit();
        }
    }

    /// Records a socket that uses TCP because RDMA was not possible, if such events are recorded.
    ///
    /// @param address the address that it connects to or listens on
    public static void socketFallback(String address, String reason) {
        if (recorder()) {
            var event = new SocketFallbackEvent();
            event.address = address;
            event.reason = reason;
            event.commit();
        }
    }

    /// A call of the kernel: a command by ioctl or write.
    @Name("io.verbs4j.Verb")
    @Label("Verb")
    @Description("A call of the kernel: a command by ioctl or write.")
    @Category({"RDMA", "verbs4j"})
    @Enabled(false)
    @StackTrace(false)
    @Threshold("0 ms")
    private static final class VerbEvent extends Event {
        @Label("Verb")
        @Nullable String verb;

        @Label("Device")
        @Nullable String device;

        @Label("Handle of the object, -1 if the command has none") long handle;

        @Label("Error number, 0 for success") int errno;

        @Label("Name of the error number")
        @Nullable String errnoName;
    }

    /// A doorbell was rung: work requests are waiting in a send ring.
    @Name("io.verbs4j.Doorbell")
    @Label("Doorbell")
    @Description("A doorbell rang: work requests wait in a send ring.")
    @Category({"RDMA", "verbs4j"})
    @Enabled(false)
    @StackTrace(false)
    @Threshold("0 ms")
    private static final class DoorbellEvent extends Event {
        @Label("Queue pair number") int queuePair;

        @Label("Work requests of the batch") int workRequests;

        @Label("Error number, 0 for success") int errno;
    }

    /// Completions were taken from a ring in one batch.
    @Name("io.verbs4j.Completions")
    @Label("Completions")
    @Description("Completions were taken from a ring in one batch.")
    @Category({"RDMA", "verbs4j"})
    @Enabled(false)
    @StackTrace(false)
    private static final class CompletionsEvent extends Event {
        @Label("Handle of the completion queue") int completionQueue;

        @Label("Completions") int count;
    }

    /// A work request did not fit into its ring.
    @Name("io.verbs4j.QueueFull")
    @Label("Queue Full")
    @Description("A work request found no room in its ring.")
    @Category({"RDMA", "verbs4j"})
    @Enabled(false)
    @StackTrace(false)
    private static final class QueueFullEvent extends Event {
        @Label("Queue")
        @Nullable String queue;
    }

    /// A completion channel reported an armed queue.
    @Name("io.verbs4j.CompletionNotification")
    @Label("Completion Notification")
    @Description("A completion channel reported an armed queue.")
    @Category({"RDMA", "verbs4j"})
    @Enabled(false)
    @StackTrace(false)
    private static final class CompletionNotificationEvent extends Event {
        @Label("Completion queue")
        @Nullable String queue;
    }

    /// The kernel reported an event of a port or an object.
    @Name("io.verbs4j.AsyncEvent")
    @Label("Asynchronous Event")
    @Description("The kernel reported something that happened to a port or an object.")
    @Category({"RDMA", "verbs4j"})
    @Enabled(false)
    @StackTrace(false)
    private static final class AsyncEvent extends Event {
        @Label("Type")
        @Nullable String type;

        @Label("Port, or number of the object") long element;
    }

    /// A socket uses TCP because RDMA was not possible.
    @Name("io.verbs4j.SocketFallback")
    @Label("Socket Fallback")
    @Description("A socket is TCP because RDMA was not possible.")
    @Category({"RDMA", "verbs4j"})
    @Enabled(false)
    @StackTrace(false)
    private static final class SocketFallbackEvent extends Event {
        @Label("Address that it connects to or listens at")
        @Nullable String address;

        @Label("Reason")
        @Nullable String reason;
    }
}

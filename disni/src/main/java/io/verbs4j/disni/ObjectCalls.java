// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsObject;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The calls that create and destroy verbs objects, and wait for completion events.
///
/// Each device is opened once. All devices close when no channel, identifier, queue or queue pair of any device is
/// left. The protection domains and regions that DiSNI has left open close with the devices.
public final class ObjectCalls {
    private static final List<Class<?>> USERS =
            List.of(ConnectionCalls.Channel.class, Endpoint.class, Connection.class, Queue.class, Queue.Channel.class);

    private final Handles handles;
    private final Map<String, Long> contexts = new HashMap<>(); // guarded by itself

    ObjectCalls(Handles handles) {
        this.handles = handles;
    }

    /// Returns the handle of a device's context. Opens the device if it is not open.
    long context(Device device) {
        synchronized (contexts) {
            return contexts.computeIfAbsent(device.name() + " " + device.index(), _ -> handles.add(device.open()));
        }
    }

    /// Closes the devices if nothing uses them. The next call closes a device that could not be closed.
    void closeIfUnused() {
        synchronized (contexts) {
            if (USERS.stream().allMatch(type -> handles.of(type).isEmpty())) {
                contexts.values()
                        .removeIf(handle -> handles.find(handle) instanceof Context context
                                && handles.destroy(handle, context::close) == 0);
                for (long handle : handles.of(VerbsObject.class)) {
                    if (handles.find(handle) instanceof VerbsObject left && left.isClosed()) {
                        handles.remove(handle);
                    }
                }
            }
        }
    }

    private Context open(long context) throws IOException {
        return handles.get(context, Context.class, "context");
    }

    /// Allocates a protection domain.
    public long allocateDomain(long context) throws IOException {
        return Failures.call(
                "allocate protection domain", () -> handles.add(open(context).allocateProtectionDomain()));
    }

    /// Closes a protection domain.
    ///
    /// @return 0; -1 if the domain does not exist; `EBUSY` if a region or queue pair of the domain is open
    public int deallocateDomain(long domain) {
        return handles.find(domain) instanceof ProtectionDomain closing ? handles.destroy(domain, closing::close) : -1;
    }

    /// Creates a completion channel.
    public long createChannel(long context) throws IOException {
        return Failures.call(
                "create completion channel",
                () -> handles.add(new Queue.Channel(open(context).createCompletionChannel())));
    }

    /// Destroys a completion channel as soon as its queues are destroyed.
    public int destroyChannel(long channel) {
        if (!(handles.find(channel) instanceof Queue.Channel closing)) {
            return -1;
        }
        int errno = handles.destroy(channel, closing::destroy);
        closeIfUnused();
        return errno;
    }

    /// Creates a completion queue.
    ///
    /// @param vector completion vector, 0 to [#completionVectors(long)] - 1
    public long createQueue(long context, long channel, int entries, int vector) throws IOException {
        Queue.Channel events = handles.get(channel, Queue.Channel.class, "completion channel");
        return Failures.call(
                "create completion queue",
                () -> handles.add(new Queue(
                        open(context)
                                .createCompletionQueue(CompletionQueueOptions.entries(entries)
                                        .withChannel(events.channel)
                                        .withCompletionVector(vector)),
                        events)));
    }

    /// Destroys a completion queue.
    ///
    /// @return 0; -1 if the queue does not exist; `EBUSY` if a queue pair still uses the queue
    public int destroyQueue(long queue) {
        if (!(handles.find(queue) instanceof Queue closing)) {
            return -1;
        }
        int errno = handles.destroy(queue, closing::close);
        closeIfUnused();
        return errno;
    }

    /// Registers memory, and keeps the buffer that contains it alive.
    ///
    /// @param access bits of `ibv_access_flags`
    /// @param localKey address that receives the local key
    /// @param remoteKey address that receives the remote key
    /// @param number address that receives the number of the region
    public long register(
            long domain, long address, int length, int access, long localKey, long remoteKey, long number)
            throws IOException {
        return Failures.call("register memory", () -> {
            MemoryRegion region = handles.get(domain, ProtectionDomain.class, "protection domain")
                    .register(Buffers.memory(address, length), access);
            long handle = handles.add(region);
            Structs.putInt(localKey, region.localKey());
            Structs.putInt(remoteKey, region.remoteKey());
            Structs.putInt(number, Handles.number(handle));
            return handle;
        });
    }

    /// Deregisters memory. Has no effect if the region was closed with its device.
    public void deregister(long region) throws IOException {
        Failures.run("deregister memory", () -> {
            if (handles.find(region) instanceof MemoryRegion closing) {
                closing.close();
                handles.remove(region);
            }
        });
    }

    /// Waits for a completion event.
    ///
    /// @param timeoutMillis negative for no limit
    /// @return 0, or -1 after the timeout
    public int awaitEvent(long channel, int timeoutMillis) throws IOException {
        Queue.Channel events = handles.get(channel, Queue.Channel.class, "completion channel");
        return Failures.call(
                "wait for a completion event", () -> events.channel.take(timeout(timeoutMillis)) == null ? -1 : 0);
    }

    static Duration timeout(int millis) {
        return millis < 0 ? Duration.ofDays(365) : Duration.ofMillis(millis);
    }

    /// Arms a completion queue.
    ///
    /// @param solicitedOnly 0 for all completions; other values for solicited ones only
    public int requestNotification(long queue, int solicitedOnly) throws IOException {
        Queue armed = handles.get(queue, Queue.class, "completion queue");
        Failures.run("arm a completion queue", () -> armed.queue.requestNotification(solicitedOnly != 0));
        return 0;
    }

    /// Returns the number of a queue pair.
    public int queuePairNumber(long queuePair) throws IOException {
        return handles.get(queuePair, Connection.class, "queue pair").queuePair.number();
    }

    /// Returns a number that no other context has or had. DiSNI keeps the protection domain of each number until the
    /// process ends (`RdmaEndpointProvider.pdMap`).
    public int contextNumber(long context) throws IOException {
        open(context);
        return Handles.number(context);
    }

    /// Returns the number of completion vectors.
    public int completionVectors(long context) throws IOException {
        Context open = open(context);
        return Failures.call("query completion vectors", open::completionVectors);
    }

    /// Returns a number that no other protection domain has or had.
    public int domainNumber(long domain) throws IOException {
        handles.get(domain, ProtectionDomain.class, "protection domain");
        return Handles.number(domain);
    }
}

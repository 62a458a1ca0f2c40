// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.os.NumberedObjects;
import io.verbs4j.management.Management;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.Ranges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// An open device, from which all verbs objects are created. Thread-safe.
///
/// [#close()] closes all objects that were created from the context, in the order that the kernel requires, and then
/// the device.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_open_device.3.html">ibv_open_device(3)</a>
public final class Context extends VerbsObject {
    private final Device device;
    private final ProviderContext provider;
    private final DeviceAttributes attributes;
    private final Handles handles = new Handles();
    private final AsyncEvents asyncEvents;
    private final @Nullable ManagedContext managed;

    private Context(Device device, ProviderContext provider) {
        this.device = device;
        this.provider = provider;
        this.attributes = provider.queryDevice();
        this.asyncEvents = new AsyncEvents(this, provider.asyncEvents());
        this.managed = Management.isOn() ? new ManagedContext(this) : null;
        handles.show(managed);
    }

    /// Takes over an open provider context, and closes it if anything fails.
    static Context of(Device device, ProviderContext provider) {
        try {
            return new Context(device, provider);
        } catch (RuntimeException | Error e) {
            Closing.allAfter(e, provider.asyncEvents()::close, provider::close, provider.channel()::close);
            throw e;
        }
    }

    /// Returns the device that is open.
    public Device device() {
        return device;
    }

    /// Returns the name of the provider that drives the device, such as `rxe`.
    public String providerName() {
        return provider.providerName();
    }

    /// Returns the limits and capabilities, queried once when the device was opened.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_device_ex.3.html">ibv_query_device_ex(3)</a>
    public DeviceAttributes attributes() {
        return attributes;
    }

    /// Returns whether device, driver and kernel support a feature.
    public boolean supports(Feature feature) {
        return provider.supports(feature);
    }

    /// Throws if [#supports(Feature)] returns false.
    ///
    /// @throws NotSupportedException if the feature is not supported; the message names provider, device and feature
    public void require(Feature feature) {
        if (!provider.supports(feature)) {
            throw new NotSupportedException(
                    "use " + feature + " on " + device.name(),
                    Errno.EOPNOTSUPP,
                    "the " + providerName()
                            + " device or this kernel does not support it: check Context.supports first");
        }
    }

    /// Returns the number of completion vectors: the interrupts to which a program can assign its completion queues.
    public int completionVectors() {
        return provider.completionVectors();
    }

    /// Queries the current state of a port.
    ///
    /// @param port from 1
    /// @throws IllegalArgumentException if the device has no such port
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_port.3.html">ibv_query_port(3)</a>
    public PortAttributes port(int port) {
        checkPort(port);
        return whileOpen(() -> provider.queryPort(port));
    }

    /// Returns the valid entries of all ports' GID tables, ordered by port and index.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_gid_table.3.html">ibv_query_gid_table(3)</a>
    public List<GidEntry> gids() {
        return whileOpen(() -> {
            int entries = 0;
            for (int port = 1; port <= attributes.ports(); port++) {
                entries += provider.queryPort(port).gidTableLength();
            }
            return provider.queryGidTable(entries);
        });
    }

    /// Returns the valid entries of one port's GID table.
    ///
    /// @param port from 1
    public List<GidEntry> gids(int port) {
        checkPort(port);
        return gids().stream().filter(entry -> entry.port() == port).toList();
    }

    /// Returns one entry of a port's GID table.
    ///
    /// @param port from 1
    /// @param index from 0
    /// @throws io.verbs4j.types.VerbsException `ENODATA` if the entry is empty; `EINVAL` if the table has no such index
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_gid_ex.3.html">ibv_query_gid_ex(3)</a>
    public GidEntry gid(int port, int index) {
        checkPort(port);
        Ranges.check("index", index, 0, Integer.MAX_VALUE);
        return whileOpen(() -> provider.queryGidEntry(port, index));
    }

    /// Returns the P_Keys of a port by index, 16 bits each. The low 15 bits are the partition; the highest bit marks
    /// the port as a full member. A RoCE port has one P_Key, 0xffff.
    ///
    /// @param port from 1
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_pkey.3.html">ibv_query_pkey(3)</a>
    public List<Integer> pkeys(int port) {
        checkPort(port);
        return whileOpen(() -> provider.queryPkeys(port));
    }

    /// Returns one P_Key of a port.
    ///
    /// @param port from 1
    /// @param index from 0
    /// @throws IllegalArgumentException if the table has no such index
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_pkey.3.html">ibv_query_pkey(3)</a>
    public int pkey(int port, int index) {
        List<Integer> pkeys = pkeys(port);
        return pkeys.get(Ranges.check("index", index, 0, pkeys.size() - 1));
    }

    /// Returns the index of a P_Key in a port's table; empty if the table does not contain it.
    ///
    /// @param port from 1
    /// @param pkey 16 bits, including the bit for full membership
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_pkey_index.3.html">ibv_get_pkey_index(3)</a>
    public OptionalInt pkeyIndex(int port, int pkey) {
        Ranges.check("pkey", pkey, 0, 0xffff);
        int index = pkeys(port).indexOf(pkey);
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    /// Returns the driver's counters of a port, counted since the creation of the device.
    ///
    /// @param port from 1
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    public HardwareCounters hardwareCounters(int port) {
        checkPort(port);
        return whileOpen(() -> provider.hardwareCounters(port));
    }

    private void checkPort(int port) {
        Ranges.check("port", port, 1, attributes.ports());
    }

    /// Allocates a protection domain: a group of objects that may be used together.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_alloc_pd.3.html">ibv_alloc_pd(3)</a>
    public ProtectionDomain allocateProtectionDomain() {
        return create(
                List.of(this),
                rollback -> new ProtectionDomain(
                        this,
                        rollback.make(provider::allocateProtectionDomain, ProviderProtectionDomain::deallocate)));
    }

    /// Creates a completion channel, on which completion queues notify sleeping threads.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_comp_channel.3.html">ibv_create_comp_channel(3)</a>
    public CompletionChannel createCompletionChannel() {
        return create(
                List.of(this),
                rollback -> new CompletionChannel(
                        this, rollback.make(provider::createCompletionChannel, EventFile::close)));
    }

    /// Creates a thread-safe completion queue without a channel.
    ///
    /// @param entries completions that the queue must hold, 1 to [DeviceAttributes#maxCompletionQueueEntries()].
    ///     Include the outstanding work of all queue pairs that will use the queue, because a queue that overflows
    ///     loses completions
    public CompletionQueue createCompletionQueue(int entries) {
        return createCompletionQueue(CompletionQueueOptions.entries(entries));
    }

    /// Creates a completion queue.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_cq.3.html">ibv_create_cq(3)</a>
    public CompletionQueue createCompletionQueue(CompletionQueueOptions options) {
        Ranges.check("entries", options.entries(), 1, attributes.maxCompletionQueueEntries());
        Ranges.check("completionVector", options.completionVector(), 0, completionVectors() - 1);
        CompletionChannel channel = options.channel();
        EventFile events = channel == null ? null : channel.events();
        var dependencies = new ArrayList<VerbsObject>(List.of(this));
        if (channel != null) {
            dependencies.add(channel);
        }
        return create(dependencies, rollback -> {
            long userHandle = handles.reserve(rollback);
            var request =
                    new CompletionQueueRequest(options.entries(), userHandle, events, options.completionVector());
            ProviderCompletionQueue queue = rollback.make(
                    () -> provider.createCompletionQueue(request), ProviderCompletionQueue::destroy);
            return new CompletionQueue(
                    this, dependencies, managed == null ? queue : ManagedContext.counted(queue), options, userHandle);
        });
    }

    /// Returns the asynchronous events of this context, which concern the device, its ports and verbs objects.
    public AsyncEvents asyncEvents() {
        return asyncEvents;
    }

    ProviderContext provider() {
        return provider;
    }

    Handles handles() {
        return handles;
    }

    /// Closes all objects that were created from the context, and then the device. During the call, no thread can
    /// create objects from the context. Objects that other threads are already creating are closed, too.
    ///
    /// @throws IllegalStateException if this thread has a batch of one of the objects open, or another thread has one
    ///     open for too long ([VerbsObject#close()]); the context stays open
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses to destroy one of the objects; the context stays
    ///     open
    @Override
    public void close() {
        stopCreations();
        try {
            closeDependents();
            super.close();
        } finally {
            resumeCreations();
        }
    }

    private void closeDependents() {
        Closing.all(dependentsOfAll().stream()
                .sorted(Comparator.comparing(VerbsObject::closingOrder))
                .map(object -> (Runnable) object::close)
                .toList());
    }

    private Set<VerbsObject> dependentsOfAll() {
        var all = new LinkedHashSet<VerbsObject>(dependents());
        var next = new ArrayDeque<VerbsObject>(all);
        while (!next.isEmpty()) {
            for (VerbsObject object : next.remove().dependents()) {
                if (all.add(object)) {
                    next.add(object);
                }
            }
        }
        return all;
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.CONTEXT;
    }

    @Override
    void destroy() {
        if (managed != null) {
            managed.close();
        }
        asyncEvents.close();
        provider.close();
        provider.channel().close();
    }

    @Override
    public String toString() {
        return "context of " + device.name();
    }

    /// User handles: numbers that the kernel returns with events. They are never reused, so that a late event of a
    /// destroyed object matches no other object.
    static final class Handles {
        private final AtomicLong next = new AtomicLong(1);
        private @Nullable ManagedContext managed;
        private final NumberedObjects<VerbsObject> objects = new NumberedObjects<>();

        /// Reserves a number, and removes it with its object if the creation fails.
        long reserve(Rollback rollback) {
            long handle = next.getAndIncrement();
            rollback.add(() -> remove(handle));
            return handle;
        }

        /// Shows objects in the management interface from now on, if it is switched on.
        void show(@Nullable ManagedContext context) {
            managed = context;
        }

        void put(long handle, VerbsObject object) {
            objects.put(handle, object);
            if (managed != null) {
                managed.add(handle, object);
            }
        }

        void remove(long handle) {
            VerbsObject object = objects.get(handle);
            if (object != null && objects.remove(handle, object) && managed != null) {
                managed.remove(object);
            }
        }

        @Nullable
        VerbsObject get(long handle) {
            return objects.get(handle);
        }
    }
}

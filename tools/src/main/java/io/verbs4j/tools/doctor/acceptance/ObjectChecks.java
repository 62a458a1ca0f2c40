// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static io.verbs4j.tools.doctor.acceptance.Peer.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.types.Access;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Feature;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortState;
import java.util.StringJoiner;

/// Checks the device's attributes, and that its objects can be created and closed.
record ObjectChecks(Bench bench, Checklist list) {
    void run() {
        list.check("device: attributes", this::attributes);
        list.check("device: ports", this::ports);
        list.check("memory: regions of 1 B, 4 KiB, 1 MiB", this::regions);
        list.check("memory: change a region's access rights", bench, Feature.REREGISTER_MEMORY, this::otherRights);
        list.check("completion queue: create, poll, close", this::queues);
        list.check("completion queue: resize", bench, Feature.RESIZE_COMPLETION_QUEUE, this::resize);
        list.check("memory window: create, type 1", bench, Feature.MEMORY_WINDOW_TYPE_1,
                () -> window(MemoryWindow.Type.TYPE_1));
        list.check("memory window: create, type 2", bench, Feature.MEMORY_WINDOW_TYPE_2,
                () -> window(MemoryWindow.Type.TYPE_2));
    }

    private String attributes() {
        DeviceAttributes device = bench.context().attributes();
        require(device.ports() >= 1, "ports=" + device.ports());
        require(device.maxQueuePairs() > 0 && device.maxCompletionQueues() > 0 && device.maxMemoryRegions() > 0,
                "a limit is 0: " + device);
        long guid = bench.context().device().nodeGuid();
        require(device.nodeGuid() == guid,
                String.format("node GUID %016x, but %016x in sysfs", device.nodeGuid(), guid));
        return device.maxQueuePairs() + " queue pairs, " + device.maxQueuePairWorkRequests() + " work requests each, "
                + device.maxScatterGather() + " buffers each";
    }

    private String ports() {
        var said = new StringJoiner("; ");
        Context context = bench.context();
        for (int number = 1; number <= context.attributes().ports(); number++) {
            PortAttributes port = context.port(number);
            said.add(number + " is " + port.state() + ", " + port.linkLayer() + ", MTU " + port.activeMtu().bytes()
                    + " of " + port.maxMtu().bytes() + ", " + context.gids(number).size() + " GIDs");
        }
        require(
                context.port(bench.port()).state().equals(PortState.ACTIVE),
                "port " + bench.port() + ", which the checks use, is not ACTIVE: " + said);
        return said.toString();
    }

    private String regions() {
        for (long bytes : new long[]{1, 4096, 1 << 20}) {
            try (
                    MemoryRegion region = bench.domain().allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                    MemoryRegion other = bench.domain().allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
                require(region.length() == bytes, "length=" + region.length());
                require(region.remoteKey() != other.remoteKey(), "two regions have the rkey " + region.remoteKey());
            }
        }
        return "";
    }

    private String otherRights() {
        try (MemoryRegion region = bench.domain().allocate(4096, Access.LOCAL_WRITE)) {
            region.changeAccess(Access.LOCAL_WRITE, Access.REMOTE_READ);
            require(region.access().contains(Access.REMOTE_READ), "access=" + region.access());
        }
        return "";
    }

    private String queues() {
        for (int entries : new int[]{1, 100,
                Math.min(4096, bench.context().attributes().maxCompletionQueueEntries())}) {
            try (CompletionQueue queue = bench.context().createCompletionQueue(entries)) {
                require(queue.capacity() >= entries, "capacity=" + queue.capacity() + " for " + entries);
                require(queue.poll(1, completion -> {}) == 0, "a new queue has a completion");
            }
        }
        return "";
    }

    private String resize() {
        try (CompletionQueue queue = bench.context().createCompletionQueue(10)) {
            for (int entries : new int[]{100, 1000, 20}) {
                queue.resize(entries);
                require(queue.capacity() >= entries, "capacity=" + queue.capacity() + " for " + entries);
                require(queue.poll(1, completion -> {}) == 0, "an empty queue has a completion");
            }
        }
        return "";
    }

    private String window(MemoryWindow.Type type) {
        try (MemoryWindow window = bench.domain().allocateMemoryWindow(type)) {
            return String.format("rkey 0x%x", window.remoteKey());
        }
    }
}

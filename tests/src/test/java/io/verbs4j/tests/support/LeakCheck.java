// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.RdmaNetlink;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.ResourceKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test class that leaves resources open: verbs objects of this process in the kernel's list of resources, file
/// descriptors of devices and event queues, or mapped rings.
public final class LeakCheck implements AfterAllCallback {
    private static final Set<ResourceKind> KINDS = EnumSet.allOf(ResourceKind.class);

    private static final String CONNECTION_MANAGER = "/rdma_cm";

    /// Holds what an earlier class was failed for, such as one whose test hangs: no other shall be.
    private static final Set<String> REPORTED = new HashSet<>();

    @Override
    public void afterAll(ExtensionContext context) {
        awaitPumps();
        assertNothingNew(kernelObjects(), "verbs objects that are left in the kernel");
        assertNothingNew(descriptors(), "file descriptors that are left open");
        assertNothingNew(mappings(), "rings that are left mapped");
    }

    /// A thread that takes events of the connection manager holds its file a moment longer than the channel is open.
    private static void awaitPumps() {
        long deadline = System.nanoTime() + 5_000_000_000L;
        while (System.nanoTime() < deadline
                && ((Simulated.isUsed() && !Simulated.host().identifiers().isEmpty()) || descriptors().stream()
                        .anyMatch(file -> file.contains(CONNECTION_MANAGER) && !REPORTED.contains(file)))) {
            Thread.onSpinWait();
        }
    }

    private static void assertNothingNew(List<String> left, String what) {
        assertThat(left.stream().filter(REPORTED::add)).as(what).isEmpty();
    }

    /// Returns this process's objects on all devices. Queries the kernel by our own netlink code, which another test
    /// compares with iproute2's `rdma resource show`. Starting that program takes the guest as long as a test.
    public static List<String> kernelObjects() {
        return kernelObjects(KINDS);
    }

    /// This process's objects on all devices that a context holds, but not the contexts.
    public static List<String> objectsOfContexts() {
        var kinds = EnumSet.copyOf(KINDS);
        kinds.remove(ResourceKind.CONTEXT);
        kinds.remove(ResourceKind.CONNECTION_ID);
        return kernelObjects(kinds);
    }

    /// This process's identifiers of the connection manager, as far as they have a device.
    public static List<String> identifiers() {
        return kernelObjects(EnumSet.of(ResourceKind.CONNECTION_ID));
    }

    /// Waits until this process has no file of a device, no identifier, and no object of a context. A closed file
    /// disappears from the process's list before the kernel has destroyed its objects (`close` releases the number
    /// first, and the file when it returns).
    public static void awaitNothingOfConnections() {
        awaitNone(LeakCheck::descriptors);
        awaitNone(LeakCheck::identifiers);
        awaitNone(LeakCheck::objectsOfContexts);
    }

    /// Waits as long as the number falls, because the kernel needs minutes for thousands of connections.
    private static void awaitNone(Supplier<List<String>> left) {
        for (int number = left.get().size(); number > 0; number = left.get().size()) {
            int former = number;
            Eventually.until(() -> left.get().size() < former, () -> former + " are left: " + left.get());
        }
    }

    private static List<String> kernelObjects(Set<ResourceKind> kinds) {
        var objects = new ArrayList<String>();
        if (Simulated.isUsed()) {
            if (kinds.contains(ResourceKind.CONNECTION_ID)) {
                objects.addAll(Simulated.host().identifiers());
            }
            if (kinds.contains(ResourceKind.QUEUE_PAIR)) {
                objects.addAll(Simulated.objects(kinds.contains(ResourceKind.CONTEXT)));
            }
            return objects;
        }
        try (RdmaNetlink netlink = RdmaNetlink.open()) {
            for (RdmaSubsystem.Device device : netlink.devices()) {
                for (ResourceKind kind : kinds) {
                    for (KernelResource object : netlink.resources(device.index(), kind)) {
                        if (isOurs(object)) {
                            objects.add(device.name() + " " + object);
                        }
                    }
                }
            }
        }
        return objects;
    }

    /// Returns whether an object belongs neither to the kernel nor to another process. An object belongs to the thread
    /// that created it, so its number may differ from the process's, and the thread may have ended.
    private static boolean isOurs(KernelResource object) {
        if (object.kernelUser().isPresent()) {
            return false;
        }
        if (object.process().isEmpty()) {
            return true;
        }
        Path maker = Path.of("/proc", Integer.toString(object.process().getAsInt()), "status");
        try (Stream<String> status = Files.lines(maker)) {
            return status.anyMatch(line -> line.equals("Tgid:\t" + ProcessHandle.current().pid()));
        } catch (IOException | UncheckedIOException e) {
            return true;
        }
    }

    /// File descriptors of devices and of their events that this process has open.
    public static List<String> descriptors() {
        var found = new ArrayList<String>();
        OpenFiles.targets().forEach((number, target) -> {
            if (isOfVerbs(target)) {
                found.add(number + " -> " + target);
            }
        });
        return found;
    }

    /// Rings that this process has mapped.
    public static List<String> mappings() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(LeakCheck::isOfVerbs).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfVerbs(String file) {
        // Class loaders open jars and classes when they please, and one of those is called after uverbs.
        return !file.endsWith(".jar")
                && !file.endsWith(".class")
                && (file.contains("/uverbs") || file.contains("[infinibandevent]")
                        || file.contains(CONNECTION_MANAGER));
    }
}

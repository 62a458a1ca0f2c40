// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.abi.discovery.Absence;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.Machine;
import io.verbs4j.types.PortState;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;

/// A machine with RDMA devices. It finds and opens them, and reports their properties that are not in their files. All
/// requests of verbs4j to an operating system pass through this interface, or through a file that [#open] has returned.
///
/// Implementations are thread-safe.
public interface Host extends Machine {
    /// UDP port of RoCE v2.
    int ROCE_V2_PORT = 4791;

    /// Returns the present devices, in the order of their character devices.
    List<UverbsDevice> devices();

    /// Returns the device with a name, such as `rxe0`.
    default Optional<UverbsDevice> device(String name) {
        return devices().stream().filter(device -> device.name().equals(name)).findFirst();
    }

    /// Returns the reason why there is no device, and the remedy.
    Absence absence();

    /// Explains in one sentence, without a full stop, why programs in other processes cannot be reached, with a remedy.
    /// Empty if they can be reached.
    default Optional<String> isolation() {
        return Optional.empty();
    }

    /// Opens a device file for reading and writing.
    ///
    /// @param node the device node, such as `/dev/infiniband/uverbs0` or `/dev/infiniband/rdma_cm`
    /// @throws VerbsException if the kernel refuses, or there is no such character device
    DeviceFile open(Path node);

    /// Opens a device file whose commands do not wait: a command that would wait for an event returns `-EAGAIN`
    /// instead.
    ///
    /// @param node the device node, such as `/dev/infiniband/rdma_cm`
    /// @throws VerbsException if the kernel refuses, or there is no such character device
    default DeviceFile openNonBlocking(Path node) {
        return open(node);
    }

    /// Returns the P_Keys of a port by index.
    ///
    /// @param device name of the device
    /// @param port from 1
    /// @throws io.verbs4j.types.DeviceGoneException if the port no longer exists
    List<Integer> pkeys(String device, int port);

    /// Returns the driver's counters of a port.
    ///
    /// @param device name of the device
    /// @param port from 1
    /// @throws io.verbs4j.types.DeviceGoneException if the port no longer exists
    HardwareCounters hardwareCounters(String device, int port);

    /// Returns all counters of a port by name: the driver's counters, and those that InfiniBand defines for each port.
    /// Empty if the port no longer exists.
    ///
    /// @param device name of the device
    /// @param port from 1
    SortedMap<String, Long> counters(String device, int port);

    /// Returns the state of a port; empty if the port no longer exists.
    ///
    /// @param device name of the device
    /// @param port from 1
    Optional<PortState> portState(String device, int port);

    /// Opens queries to the kernel's RDMA subsystem that do not use a device's file.
    ///
    /// @throws VerbsException if the kernel has no RDMA subsystem, or does not allow it
    RdmaSubsystem subsystem();

    /// Returns the address from which packets to a peer are sent, according to the routing table.
    ///
    /// @throws java.io.UncheckedIOException if there is no route to the peer
    InetAddress sourceAddress(InetAddress peer);

    /// Returns the number of a network interface.
    ///
    /// @param name the interface's name, such as `eth0`
    /// @return empty if the interface does not exist
    OptionalInt interfaceIndex(String name);

    /// Returns the name of a network interface.
    ///
    /// @param index the interface's number
    /// @return empty if the interface does not exist
    Optional<String> interfaceName(int index);

    /// Returns the addresses of a network interface; empty if it does not exist.
    ///
    /// @param networkInterface the interface's name, such as `veth0`
    Set<InetAddress> addresses(String networkInterface);

    /// Opens a network interface to read its RoCE v2 packets.
    ///
    /// @param networkInterface the interface's name, such as `veth0`
    /// @throws java.nio.file.NoSuchFileException if the interface does not exist
    /// @throws IOException if it is neither an Ethernet nor a loopback interface, or its type is unknown
    /// @throws VerbsException if the caller lacks `CAP_NET_RAW`
    FrameFile openFrames(String networkInterface) throws IOException;

    /// Returns whether this is the system on which the process runs, so that its files and programs provide more
    /// information.
    default boolean isOperatingSystem() {
        return false;
    }

    /// Returns the kernel's version.
    KernelRelease kernel();

    /// Returns whether a forked child gets copies of registered memory at once, so that the parent keeps the pages that
    /// the device uses. False if this is unknown.
    boolean copiesMemoryOnFork();

    /// Returns the machine that this process uses: the simulated one that the system property `verbs4j.simulate`
    /// requests, otherwise the one on which it runs. It is chosen once.
    ///
    /// @throws IllegalStateException if the property is set, but there is no simulator on the class path or module path
    static Host current() {
        return CurrentHost.get();
    }

    /// Ends a replacement of the current machine.
    @FunctionalInterface
    interface Replacement extends AutoCloseable {
        /// Makes the former machine the current one again. Idempotent.
        @Override
        void close();
    }

    /// Replaces the current machine for the whole process, as tests do. Open objects stay with their machine.
    ///
    /// @throws IllegalStateException if the current machine is already replaced
    static Replacement replaceCurrent(Host host) {
        return CurrentHost.replace(host);
    }
}

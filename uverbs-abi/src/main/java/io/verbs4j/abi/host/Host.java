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

/// A machine with RDMA devices: what finds and opens them, and what is known of them beyond their files. Everything
/// that verbs4j asks an operating system goes through here, or through a file that [#open] has returned.
///
/// Implementations are safe for use by many threads.
public interface Host extends Machine {
    /// UDP port of RoCE v2.
    int ROCE_V2_PORT = 4791;

    /// Returns the devices that are there now, in the order of their character devices.
    List<UverbsDevice> devices();

    /// Returns the device of that name, such as `rxe0`.
    default Optional<UverbsDevice> device(String name) {
        return devices().stream().filter(device -> device.name().equals(name)).findFirst();
    }

    /// Returns the reason why there is no device, and the remedy.
    Absence absence();

    /// Explains in one sentence, without a full stop, why programs in other processes are out of reach, and what to do
    /// about it; empty if they can be reached.
    default Optional<String> isolation() {
        return Optional.empty();
    }

    /// Opens a device file for reading and writing.
    ///
    /// @param node such as `/dev/infiniband/uverbs0` or `/dev/infiniband/rdma_cm`
    /// @throws VerbsException if the kernel refuses, or there is no such character device
    DeviceFile open(Path node);

    /// Opens a device file whose commands do not wait: one that would wait for an event returns `-EAGAIN` instead.
    ///
    /// @param node such as `/dev/infiniband/rdma_cm`
    /// @throws VerbsException if the kernel refuses, or there is no such character device
    default DeviceFile openNonBlocking(Path node) {
        return open(node);
    }

    /// Returns the P_Keys of a port by index.
    ///
    /// @param device name of the device
    /// @param port from 1
    /// @throws io.verbs4j.types.DeviceGoneException if there is no such port any more
    List<Integer> pkeys(String device, int port);

    /// Returns what the driver has counted on a port.
    ///
    /// @param device name of the device
    /// @param port from 1
    /// @throws io.verbs4j.types.DeviceGoneException if there is no such port any more
    HardwareCounters hardwareCounters(String device, int port);

    /// Returns all counters of a port by name, those of the driver and those that InfiniBand has on each port; none if
    /// there is no such port any more.
    ///
    /// @param device name of the device
    /// @param port from 1
    SortedMap<String, Long> counters(String device, int port);

    /// Returns the state of a port; nothing if there is no such port any more.
    ///
    /// @param device name of the device
    /// @param port from 1
    Optional<PortState> portState(String device, int port);

    /// Asks the kernel's RDMA subsystem beside the devices' files.
    ///
    /// @throws VerbsException if the kernel has none, or forbids it
    RdmaSubsystem subsystem();

    /// Returns the address from which packets to a peer are sent, as the routing table says.
    ///
    /// @throws java.io.UncheckedIOException if no route leads there
    InetAddress sourceAddress(InetAddress peer);

    /// Returns the number of a network interface.
    ///
    /// @param name such as `eth0`
    /// @return nothing if there is none
    OptionalInt interfaceIndex(String name);

    /// Returns the name of a network interface.
    ///
    /// @param index its number
    /// @return nothing if there is none
    Optional<String> interfaceName(int index);

    /// Returns the addresses of a network interface; none if there is no such interface.
    ///
    /// @param networkInterface its name, such as `veth0`
    Set<InetAddress> addresses(String networkInterface);

    /// Opens a network interface to see its RoCE v2 packets.
    ///
    /// @param networkInterface its name, such as `veth0`
    /// @throws java.nio.file.NoSuchFileException if there is no such interface
    /// @throws IOException if it is not Ethernet
    /// @throws VerbsException if the caller may not, by lack of `CAP_NET_RAW`
    FrameFile openFrames(String networkInterface) throws IOException;

    /// Returns whether this is the system that the process runs on, whose files and programs say more of it.
    default boolean isOperatingSystem() {
        return false;
    }

    /// Returns the kernel's version.
    KernelRelease kernel();

    /// Returns whether a forked child gets copies of registered memory at once, so that the parent keeps the pages that
    /// the device knows; false if that cannot be asked.
    boolean copiesMemoryOnFork();

    /// Returns the machine that this process uses: the simulated one that the system property `verbs4j.simulate` asks
    /// for, else the one that it runs on. It is chosen once.
    ///
    /// @throws IllegalStateException if the property is set, and nothing on the class path or module path simulates
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

    /// Makes another machine the current one for the whole process, as tests do. Objects that are open already stay with
    /// their machine.
    ///
    /// @throws IllegalStateException if the current machine is replaced already
    static Replacement replaceCurrent(Host host) {
        return CurrentHost.replace(host);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.abi.discovery.Absence;
import io.verbs4j.abi.discovery.DeviceDirectory;
import io.verbs4j.abi.discovery.RdmaNetlink;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.os.LinuxDeviceFile;
import io.verbs4j.abi.os.PacketSocket;
import io.verbs4j.abi.sysfs.SysfsPort;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.PortState;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/// The Linux system that this process runs on.
final class LinuxHost implements Host {
    private static final Path INTERFACES = Path.of("/sys/class/net");
    /// `ARPHRD_ETHER` (include/uapi/linux/if_arp.h).
    private static final int ETHERNET = 1;
    /// `ARPHRD_LOOPBACK`, whose frames also have an Ethernet header.
    private static final int LOOPBACK = 772;

    @Override
    public List<UverbsDevice> devices() {
        return DeviceDirectory.system().devices();
    }

    @Override
    public Optional<UverbsDevice> device(String name) {
        return DeviceDirectory.system().device(name);
    }

    @Override
    public Absence absence() {
        return DeviceDirectory.system().absence();
    }

    @Override
    public DeviceFile open(Path node) {
        return LinuxDeviceFile.open(node);
    }

    @Override
    public DeviceFile openNonBlocking(Path node) {
        return LinuxDeviceFile.open(node, true);
    }

    @Override
    public List<Integer> pkeys(String device, int port) {
        return SysfsPort.of(device, port).pkeys();
    }

    @Override
    public HardwareCounters hardwareCounters(String device, int port) {
        return SysfsPort.of(device, port).hardwareCounters();
    }

    @Override
    public SortedMap<String, Long> counters(String device, int port) {
        return SysfsPort.of(device, port).counters();
    }

    @Override
    public Optional<PortState> portState(String device, int port) {
        return SysfsPort.of(device, port).state();
    }

    @Override
    public RdmaSubsystem subsystem() {
        return RdmaNetlink.open();
    }

    @Override
    public InetAddress sourceAddress(InetAddress peer) {
        try (var socket = new DatagramSocket()) {
            socket.connect(peer, ROCE_V2_PORT); // sends nothing: the kernel only looks up the route
            return socket.getLocalAddress();
        } catch (IOException e) {
            throw new UncheckedIOException("no route to " + peer.getHostAddress(), e);
        }
    }

    @Override
    public OptionalInt interfaceIndex(String name) {
        try {
            NetworkInterface found = NetworkInterface.getByName(name);
            return found == null ? OptionalInt.empty() : OptionalInt.of(found.getIndex());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<String> interfaceName(int index) {
        try {
            return index == 0
                    ? Optional.empty()
                    : Optional.ofNullable(NetworkInterface.getByIndex(index)).map(NetworkInterface::getName);
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    @Override
    public Set<InetAddress> addresses(String networkInterface) {
        try {
            NetworkInterface found = NetworkInterface.getByName(networkInterface);
            return found == null ? Set.of() : found.inetAddresses().collect(Collectors.toSet());
        } catch (SocketException e) {
            return Set.of();
        }
    }

    @Override
    public FrameFile openFrames(String networkInterface) throws IOException {
        // sysfs may show the interfaces of another network namespace, so it has the type only.
        int index = interfaceIndex(networkInterface).orElseThrow(() -> new NoSuchFileException(networkInterface));
        int type = type(networkInterface);
        if (type != ETHERNET && type != LOOPBACK) {
            throw new IOException(networkInterface + " is not an Ethernet interface; its type is " + type);
        }
        return PacketSocket.open(index, ROCE_V2_PORT);
    }

    private static int type(String networkInterface) throws IOException {
        try {
            return Integer.parseInt(Files.readString(INTERFACES.resolve(networkInterface).resolve("type")).strip());
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "sysfs hides the network interface, so its type is unknown; mount sysfs (mount -t sysfs"
                            + " sysfs /sys)",
                    e);
        }
    }

    @Override
    public boolean isOperatingSystem() {
        return true;
    }

    @Override
    public KernelRelease kernel() {
        return KernelRelease.running();
    }

    @Override
    public boolean copiesMemoryOnFork() {
        try (RdmaNetlink netlink = RdmaNetlink.open()) {
            return netlink.copiesOnFork();
        } catch (VerbsException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "this machine";
    }
}

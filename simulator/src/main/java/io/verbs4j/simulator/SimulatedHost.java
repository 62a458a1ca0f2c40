// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.abi.cm.CmDevice;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.abi.discovery.Absence;
import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.simulator.cm.ConnectionManager;
import io.verbs4j.simulator.cm.Environment;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.PortState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A simulated host, whose devices `Devices.of` lists. Thread-safe.
public final class SimulatedHost implements Host {
    private static final int FULL_MEMBER = 0xffff;

    private final SimulatedNetwork network;
    private final String name;
    private final KernelProfile kernel;
    private final List<SimulatedDevice> devices = new ArrayList<>();

    private final HostEnvironment environment;
    private final ConnectionManager connections;

    SimulatedHost(SimulatedNetwork network, String name, KernelProfile kernel) {
        this.network = network;
        this.name = name;
        this.kernel = kernel;
        this.environment = new HostEnvironment(this, network);
        this.connections = new ConnectionManager(environment);
    }

    ConnectionManager connections() {
        return connections;
    }

    /// Returns the host's name.
    public String name() {
        return name;
    }

    /// Returns the kernel profile.
    public KernelProfile profile() {
        return kernel;
    }

    /// Returns the host's network.
    public SimulatedNetwork network() {
        return network;
    }

    /// Adds a device with a link-local address and the next IPv4 address of 10.9.0.0/24.
    ///
    /// @param device the device's name, such as `rxe0`
    /// @throws IllegalArgumentException if the host has a device of that name
    public SimulatedDevice addDevice(String device) {
        var added = new SimulatedDevice[1];
        network.simulation().run(() -> {
            if (devices.stream().anyMatch(present -> present.name().equals(device))) {
                throw new IllegalArgumentException(name + " already has a device of this name: " + device);
            }
            int index = 0;
            while (hasIndex(index)) {
                index++;
            }
            added[0] = new SimulatedDevice(network, this, device, index);
            devices.add(added[0]);
        });
        return added[0];
    }

    private boolean hasIndex(int index) {
        return devices.stream().anyMatch(present -> present.description().index() == index);
    }

    /// Removes a device. Open contexts remain usable, as on Linux.
    public void removeDevice(String device) {
        network.simulation().run(() -> devices.removeIf(present -> {
            boolean goes = present.name().equals(device);
            if (goes) {
                connections.removing(present.port());
                present.unplug();
            }
            return goes;
        }));
    }

    /// Returns the device with a name.
    public Optional<SimulatedDevice> find(String device) {
        return present().stream().filter(candidate -> candidate.name().equals(device)).findFirst();
    }

    /// Returns the identifiers of the connection manager that are bound to a device, as one text per identifier, such
    /// as `CM_ID 3`.
    public List<String> identifiers() {
        var found = new ArrayList<String>();
        network.simulation().run(() -> found.addAll(connections.describe()));
        return found;
    }

    List<KernelResource> identifiersOn(SimulatedDevice device) {
        var found = new ArrayList<KernelResource>();
        network.simulation().run(() -> found.addAll(connections.resources(device.port())));
        return found;
    }

    /// Returns the devices. The caller holds the simulation.
    List<SimulatedDevice> held() {
        return devices;
    }

    private List<SimulatedDevice> present() {
        var copy = new ArrayList<SimulatedDevice>();
        network.simulation().run(() -> copy.addAll(devices));
        return copy;
    }

    /// Sets the route of connections to an address of another device of this host. On Linux, and by default here, such
    /// an address is local: both ends use the device with the address, and no packet crosses the wire. If `across` is
    /// true, connections leave by the first other device on the address's network, so loss, delay and captures affect
    /// them.
    public void connectsAcrossTheWire(boolean across) {
        network.simulation().run(() -> environment.routeAcross(across));
    }

    @Override
    public Optional<String> isolation() {
        return Optional.of("a simulated network lives in one process: run both ends in the same one, tools with"
                + " 'verbs --simulate 2 together COMMAND --and COMMAND'");
    }

    @Override
    public List<UverbsDevice> devices() {
        return present().stream().map(SimulatedDevice::description).toList();
    }

    @Override
    public Absence absence() {
        return new Absence(
                this + " has no RDMA device",
                "add one with SimulatedHost.addDevice, or set -Dverbs4j.simulate=2");
    }

    @Override
    public DeviceFile open(Path node) {
        if (node.equals(CmDevice.NODE)) {
            var opened = new DeviceFile[1];
            network.simulation().run(() -> opened[0] = connections.open());
            return opened[0];
        }
        return present()
                .stream()
                .filter(device -> device.description().node().equals(node))
                .findFirst()
                .orElseThrow(() -> KernelErrors.failure(
                        SystemOperation.OPEN_DEVICE, Errno.ENOENT, node + " is not on the simulated host " + name))
                .open();
    }

    private SimulatedDevice require(String device, int port) {
        return find(device)
                .filter(found -> port == 1)
                .orElseThrow(() -> new DeviceGoneException(
                        "query port " + port + " of " + device,
                        Errno.ENODEV,
                        "it is not on the simulated host " + name));
    }

    @Override
    public List<Integer> pkeys(String device, int port) {
        require(device, port);
        return List.of(FULL_MEMBER);
    }

    @Override
    public HardwareCounters hardwareCounters(String device, int port) {
        return require(device, port).counters();
    }

    @Override
    public SortedMap<String, Long> counters(String device, int port) {
        return find(device)
                .filter(found -> port == 1)
                .map(found -> new TreeMap<>(found.counters().values()))
                .orElseGet(TreeMap::new);
    }

    @Override
    public Optional<PortState> portState(String device, int port) {
        return find(device).filter(found -> port == 1).map(SimulatedDevice::state);
    }

    @Override
    public RdmaSubsystem subsystem() {
        return new SimulatedSubsystem(this);
    }

    @Override
    public Optional<String> interfaceName(int index) {
        return present()
                .stream()
                .filter(device -> device.interfaceIndex() == index)
                .map(device -> device.description().networkInterface())
                .findFirst();
    }

    @Override
    public InetAddress sourceAddress(InetAddress peer) {
        var route = new Environment.@Nullable Route[1];
        network.simulation().run(() -> route[0] = environment.route(Address.of(peer), 0));
        return Optional.ofNullable(route[0])
                .map(found -> found.address().toInetAddress())
                .or(() -> Optional.of(peer).filter(InetAddress::isLoopbackAddress))
                .orElseThrow(() -> new UncheckedIOException(
                        "no route to " + peer.getHostAddress(),
                        new NoRouteToHostException("no device of " + this + " is on its network")));
    }

    @Override
    public OptionalInt interfaceIndex(String networkInterface) {
        return on(networkInterface).map(found -> OptionalInt.of(found.interfaceIndex())).orElse(OptionalInt.empty());
    }

    @Override
    public FrameFile openFrames(String networkInterface) throws IOException {
        return on(networkInterface).orElseThrow(() -> new NoSuchFileException(networkInterface)).tap();
    }

    @Override
    public Set<InetAddress> addresses(String networkInterface) {
        return on(networkInterface).map(SimulatedDevice::addresses).orElse(Set.of());
    }

    private Optional<SimulatedDevice> on(String networkInterface) {
        return present()
                .stream()
                .filter(device -> networkInterface.equals(device.description().networkInterface()))
                .findFirst();
    }

    @Override
    public KernelRelease kernel() {
        return KernelRelease.parse(kernel.release());
    }

    @Override
    public boolean copiesMemoryOnFork() {
        return true;
    }

    @Override
    public String toString() {
        return "simulated host " + name;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.simulator.cm.CmPort;
import io.verbs4j.simulator.kernel.DeviceNode;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.Counter;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortState;
import io.verbs4j.types.Ranges;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The administrator's view of a simulated device: its link and its addresses. Programs use the devices that
/// `Devices.of` lists. Thread-safe.
public final class SimulatedDevice {
    private static final int MAJOR = 231;
    private static final int FIRST_MINOR = 192;
    private static final int ABI = 2;
    private static final int CORE_ABI = 6;
    private static final int FILES_OF_A_DEVICE = 1_000_000;
    /// The network 10.9.0.0.
    private static final int NETWORK = 10 << 24 | 9 << 16;

    private static final long LINK_LOCAL = 0xfe80L << 48;
    /// The interface identifier of `02:00:00:00:00:00` (RFC 4291, appendix A). Each device adds its number to this
    /// identifier.
    private static final long IDENTIFIER = 0x0000_00ff_fe00_0000L;

    private static final int MIN_MTU = 68;
    private static final int MAX_MTU = 65535;

    private final SimulatedNetwork network;
    private final UverbsDevice description;
    private final RxeDevice rxe;
    private final DeviceNode node;

    SimulatedDevice(SimulatedNetwork network, SimulatedHost host, String name, int index) {
        this.network = network;
        int number = network.nextDevice();
        long identifier = IDENTIFIER | number + 1;
        rxe = new RxeDevice(network.simulation(), host.profile(), network.wire(), network.freshRandom());
        node = new DeviceNode(rxe, network.wire(), identifier, index + 2, FILES_OF_A_DEVICE * (number + 1));
        String uverbs = "uverbs" + index;
        description = new UverbsDevice(
                name,
                index,
                uverbs,
                java.nio.file.Path.of("/dev/infiniband", uverbs),
                MAJOR,
                FIRST_MINOR + index,
                RdmaDriver.RXE,
                ABI,
                CORE_ABI,
                NodeType.CA,
                identifier,
                identifier,
                "veth" + index,
                "",
                1);
        add(new Address(LINK_LOCAL, identifier));
        add(Address.ipv4(NETWORK | number + 1));
    }

    /// Returns the device's name.
    public String name() {
        return description.name();
    }

    CmPort port() {
        return new CmPort(node, description.index());
    }

    UverbsDevice description() {
        return description;
    }

    DeviceFile open() {
        var opened = new DeviceFile[1];
        network.simulation().run(() -> opened[0] = node.open());
        return opened[0];
    }

    Tap tap() {
        var tap = new Tap[1];
        network.simulation().run(() -> tap[0] = network.wire().tap(rxe));
        return tap[0];
    }

    int interfaceIndex() {
        return node.interfaceIndex();
    }

    Set<InetAddress> addresses() {
        return present().stream().map(Address::toInetAddress).collect(Collectors.toSet());
    }

    private List<Address> present() {
        var own = new ArrayList<Address>();
        network.simulation().run(() -> node.addresses().stream().filter(Objects::nonNull).forEach(own::add));
        return own;
    }

    private void add(Address address) {
        node.add(address);
        network.wire().add(address, rxe);
    }

    /// Adds an address, unless the device already has this address. The address gets the lowest free index of the GID
    /// table.
    ///
    /// @throws IllegalArgumentException if another device of the network has this address
    public void addAddress(InetAddress address) {
        Address added = Address.of(address);
        network.simulation().run(() -> {
            if (node.addresses().contains(added)) {
                return;
            }
            if (network.wire().knows(rxe, added)) {
                throw new IllegalArgumentException(
                        "another device of the network has the address " + address.getHostAddress());
            }
            add(added);
        });
    }

    /// Removes an address.
    public void removeAddress(InetAddress address) {
        network.simulation().run(() -> {
            if (node.remove(Address.of(address))) {
                network.wire().remove(Address.of(address));
            }
        });
    }

    /// Sets the MTU of the network interface. The port's MTU becomes the largest MTU whose packets fit into that of the
    /// network interface. The device neither sends nor receives longer packets. The effect on the queue pairs depends
    /// on the kernel (docs/rxe-quirks.md).
    ///
    /// @param bytes 68 to 65535
    public void mtu(int bytes) {
        Ranges.check("mtu", bytes, MIN_MTU, MAX_MTU);
        network.simulation().run(() -> {
            rxe.interfaceMtu(bytes);
            network.wire().interfaceChanged();
        });
    }

    /// Sets the conditions of the wire for packets that this device sends from now on.
    public void conditions(LinkConditions conditions) {
        network.simulation().run(() -> network.wire().conditions(rxe, conditions));
    }

    /// Returns the number of packets of this device that the wire has lost.
    public long lost() {
        var lost = new long[1];
        network.simulation().run(() -> lost[0] = network.wire().lost(rxe));
        return lost[0];
    }

    /// Takes the link down or brings it up. Programs get an asynchronous event.
    public void link(boolean up) {
        network.simulation().run(() -> {
            if (rxe.isUp() != up) {
                rxe.up(up);
                node.report(up ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERROR);
            }
        });
    }

    PortState state() {
        var state = new PortState[1];
        network.simulation().run(() -> state[0] = rxe.isUp() ? PortState.ACTIVE : PortState.DOWN);
        return state[0];
    }

    List<KernelResource> resources(ResourceKind kind) {
        var resources = new ArrayList<KernelResource>();
        network.simulation().run(() -> resources.addAll(node.resources(kind)));
        return resources;
    }

    /// Returns the open objects of programs, as one text per object, such as `QP 3`.
    public List<String> objects() {
        var objects = new ArrayList<String>();
        network.simulation().run(() -> objects.addAll(node.objects()));
        return objects;
    }

    /// Returns the number of open contexts.
    public int contexts() {
        return network.simulation().call(node::contexts);
    }

    HardwareCounters counters() {
        var values = new TreeMap<String, Long>();
        network.simulation().run(() -> {
            for (Counter counter : Counter.values()) {
                if (counter.isOf(rxe.profile())) {
                    values.put(counter.fileName(), rxe.counted(counter));
                }
            }
        });
        return new HardwareCounters(Duration.ZERO, values);
    }

    void unplug() {
        for (Address address : node.addresses()) {
            if (address != null) {
                network.wire().remove(address);
            }
        }
    }

    @Override
    public String toString() {
        return name();
    }
}

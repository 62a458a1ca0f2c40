// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.abi.discovery.Absence;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.host.KernelRelease;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.PortState;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;

/// A simulated machine whose rxe devices are mlx5 cards to whoever opens them. They keep their names.
public final class CardMachine implements Host {
    private static final int ABI = 1;

    private final Host machine;

    /// @param machine has rxe devices, in real time
    public CardMachine(Host machine) {
        this.machine = machine;
    }

    /// Returns the card of a name.
    public Device find(String name) {
        return Devices.of(this).stream().filter(device -> device.name().equals(name)).findFirst().orElseThrow();
    }

    @Override
    public List<UverbsDevice> devices() {
        return machine.devices().stream().map(CardMachine::card).toList();
    }

    private static UverbsDevice card(UverbsDevice rxe) {
        return new UverbsDevice(
                rxe.name(),
                rxe.index(),
                rxe.uverbsName(),
                rxe.node(),
                rxe.major(),
                rxe.minor(),
                RdmaDriver.MLX5,
                ABI,
                rxe.coreAbiVersion(),
                rxe.nodeType(),
                rxe.nodeGuid(),
                rxe.systemImageGuid(),
                rxe.networkInterface(),
                rxe.firmwareVersion(),
                rxe.ports());
    }

    @Override
    public Absence absence() {
        return machine.absence();
    }

    @Override
    public DeviceFile open(Path node) {
        return new CardFile(machine, machine.open(node));
    }

    @Override
    public List<Integer> pkeys(String device, int port) {
        return machine.pkeys(device, port);
    }

    @Override
    public HardwareCounters hardwareCounters(String device, int port) {
        return machine.hardwareCounters(device, port);
    }

    @Override
    public SortedMap<String, Long> counters(String device, int port) {
        return machine.counters(device, port);
    }

    @Override
    public Optional<PortState> portState(String device, int port) {
        return machine.portState(device, port);
    }

    @Override
    public RdmaSubsystem subsystem() {
        return machine.subsystem();
    }

    @Override
    public Optional<String> interfaceName(int index) {
        return machine.interfaceName(index);
    }

    @Override
    public InetAddress sourceAddress(InetAddress peer) {
        return machine.sourceAddress(peer);
    }

    @Override
    public OptionalInt interfaceIndex(String name) {
        return machine.interfaceIndex(name);
    }

    @Override
    public Set<InetAddress> addresses(String networkInterface) {
        return machine.addresses(networkInterface);
    }

    @Override
    public FrameFile openFrames(String networkInterface) throws IOException {
        return machine.openFrames(networkInterface);
    }

    @Override
    public KernelRelease kernel() {
        return machine.kernel();
    }

    @Override
    public boolean copiesMemoryOnFork() {
        return machine.copiesMemoryOnFork();
    }
}

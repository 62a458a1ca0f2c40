// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.Operation;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;
import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.Optional;

/// Describes the devices of a simulated host.
record SimulatedSubsystem(SimulatedHost host) implements RdmaSubsystem {
    @Override
    public List<Device> devices() {
        return host.devices()
                .stream()
                .map(device -> new Device(device.index(), device.name(), device.ports(), "roce"))
                .toList();
    }

    private SimulatedDevice require(int index) {
        return host.devices()
                .stream()
                .filter(device -> device.index() == index)
                .findFirst()
                .flatMap(device -> host.find(device.name()))
                .orElseThrow(() -> KernelErrors.failure(SystemOperation.RDMA_NETLINK, Errno.EINVAL));
    }

    @Override
    public List<Port> ports(int index) {
        SimulatedDevice device = require(index);
        PortState state = device.state();
        return List.of(new Port(
                1,
                state,
                state.equals(PortState.ACTIVE) ? PhysicalState.LINK_UP : PhysicalState.DISABLED,
                Optional.ofNullable(device.description().networkInterface())));
    }

    @Override
    public List<KernelResource> resources(int index, ResourceKind kind) {
        SimulatedDevice device = require(index);
        return kind == ResourceKind.CONNECTION_ID ? host.identifiersOn(device) : device.resources(kind);
    }

    @Override
    public boolean sharesDevicesBetweenNamespaces() {
        return true;
    }

    @Override
    public void addLink(String name, String type, String networkInterface) {
        throw refused(SystemOperation.ADD_LINK);
    }

    @Override
    public void deleteLink(int index) {
        throw refused(SystemOperation.DELETE_LINK);
    }

    private static VerbsException refused(Operation operation) {
        return KernelErrors.failure(
                operation,
                Errno.EOPNOTSUPP,
                "simulated devices last as long as their process; set their number with --simulate");
    }

    @Override
    public void close() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;
import java.util.List;
import java.util.Optional;

/// Asks a machine's kernel about RDMA devices beside their files: which there are, their ports, the objects that it holds and
/// for whom. Makes and deletes software devices. For one thread at a time.
public interface RdmaSubsystem extends AutoCloseable {
    /// A device.
    ///
    /// @param index its number, by which other requests name it
    /// @param name its name, such as `rxe0`
    /// @param ports number of ports
    /// @param protocol `roce`, `ib`, `iw` …; empty if the kernel does not say
    public record Device(int index, String name, int ports, String protocol) {}

    /// A port of a device.
    ///
    /// @param number from 1
    /// @param state its state
    /// @param physicalState its physical state
    /// @param networkInterface name of its network interface, if it has one in the caller's network namespace
    public record Port(
            int number, PortState state, PhysicalState physicalState, Optional<String> networkInterface) {}

    /// All devices.
    List<Device> devices();

    /// The ports of a device.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `EINVAL` if there is no such device
    List<Port> ports(int device);

    /// The objects of one kind that the kernel holds on a device. What other processes hold is shown as well; keys only to
    /// who has `CAP_NET_ADMIN`.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `EINVAL` if there is no such device
    List<KernelResource> resources(int device, ResourceKind kind);

    /// Returns whether all network namespaces share the devices, as they do unless `rdma system set netns exclusive` was said.
    boolean sharesDevicesBetweenNamespaces();

    /// Makes a software device. The kernel loads its driver if need be. Needs `CAP_NET_ADMIN` in the first user namespace.
    ///
    /// @param name of the device that is to be, at most 63 bytes
    /// @param type `rxe` or `siw`
    /// @param networkInterface what it sits upon
    /// @throws io.verbs4j.types.VerbsException with `EEXIST` if the interface has such a device, `ENFILE` if another has the
    ///     name, `ENODEV` if there is no such interface, `EINVAL` if there is no driver of this type, `EPERM` without the
    ///     right to do it, or for rxe upon a VLAN
    void addLink(String name, String type, String networkInterface);

    /// Deletes a software device. Where its driver cannot take it from its users, as rxe cannot, the call blocks until the
    /// last of them has closed it. Needs `CAP_NET_ADMIN` in the first user namespace.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `EINVAL` if there is no such device, or it is not a software device;
    ///     `EPERM` without the right to do it
    void deleteLink(int device);

    @Override
    void close();
}

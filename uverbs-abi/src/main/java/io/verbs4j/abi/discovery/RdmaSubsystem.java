// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;
import java.util.List;
import java.util.Optional;

/// Queries a machine's kernel about RDMA devices: their list, their ports, and the kernel's objects with their owners.
/// Also creates and deletes software devices. For one thread at a time.
public interface RdmaSubsystem extends AutoCloseable {
    /// A device.
    ///
    /// @param index its number, to which other requests refer
    /// @param name its name, such as `rxe0`
    /// @param ports number of ports
    /// @param protocol `roce`, `ib`, `iw` …; empty if unknown
    public record Device(int index, String name, int ports, String protocol) {}

    /// A port of a device.
    ///
    /// @param number from 1
    /// @param state its state
    /// @param physicalState its physical state
    /// @param networkInterface name of its network interface, if that is in the caller's network namespace
    public record Port(
            int number, PortState state, PhysicalState physicalState, Optional<String> networkInterface) {}

    /// Returns all devices.
    List<Device> devices();

    /// Returns the ports of a device.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `EINVAL` if the device does not exist
    List<Port> ports(int device);

    /// Returns the kernel's objects of one kind on a device, of all processes. Keys are included only with
    /// `CAP_NET_ADMIN`.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `EINVAL` if the device does not exist
    List<KernelResource> resources(int device, ResourceKind kind);

    /// Returns whether all network namespaces share the devices, which is the default (`rdma system set netns
    /// exclusive` changes it).
    boolean sharesDevicesBetweenNamespaces();

    /// Creates a software device. The kernel loads its driver if necessary. Needs `CAP_NET_ADMIN` in the initial user
    /// namespace.
    ///
    /// @param name name of the new device, at most 63 bytes
    /// @param type `rxe` or `siw`
    /// @param networkInterface its network interface
    /// @throws io.verbs4j.types.VerbsException with `EEXIST` if the interface already has such a device, `ENFILE` if
    ///     the name is in use, `ENODEV` if the interface does not exist, `EINVAL` if no driver has this type, `EPERM`
    ///     without permission, or for rxe on a VLAN
    void addLink(String name, String type, String networkInterface);

    /// Deletes a software device. If its driver cannot disconnect its users, as with rxe, the call blocks until the
    /// last of them has closed it. Needs `CAP_NET_ADMIN` in the initial user namespace.
    ///
    /// @param device its index
    /// @throws io.verbs4j.types.VerbsException with `EINVAL` if the device does not exist, or is not a software device;
    ///     `EPERM` without permission
    void deleteLink(int device);

    @Override
    void close();
}

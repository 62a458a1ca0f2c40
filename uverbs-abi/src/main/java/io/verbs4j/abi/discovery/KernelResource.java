// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// An object that the kernel holds on a device.
///
/// @param kind its kind
/// @param number the kernel's number of it, which other objects refer to; of a queue pair its QPN
/// @param process the thread that made it, as the caller's namespace numbers it; empty if it has ended, or if the
///     kernel itself made the object
/// @param kernelUser the part of the kernel that made it
/// @param details further facts, in a fixed order
/// @param addresses IP addresses of a connection identifier: its own, then its peer's, as far as it has them
public record KernelResource(
        ResourceKind kind,
        OptionalLong number,
        OptionalInt process,
        Optional<String> kernelUser,
        List<Detail> details,
        List<Address> addresses) {
    /// Describes an object that this process has made.
    public static KernelResource ofThisProcess(ResourceKind kind, int number, Detail... details) {
        return new KernelResource(
                kind,
                OptionalLong.of(number),
                OptionalInt.of((int) ProcessHandle.current().pid()),
                Optional.empty(),
                List.of(details),
                List.of());
    }

    /// One fact about an object.
    ///
    /// @param name as `rdma resource show` calls it
    /// @param value unsigned
    public record Detail(String name, long value) {}

    /// An address with a port.
    ///
    /// @param name as `rdma resource show` calls it
    public record Address(String name, InetSocketAddress address) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// An object on a device that the kernel accounts for.
///
/// @param kind its kind
/// @param number the kernel's number, to which other objects refer; the QPN for a queue pair
/// @param process the thread that created it, as numbered in the caller's namespace; empty if the thread has ended, or
///     if the kernel itself created the object
/// @param kernelUser the part of the kernel that created it
/// @param details further facts, in a fixed order
/// @param addresses IP addresses of a connection identifier, if any: its own, then its peer's
public record KernelResource(
        ResourceKind kind,
        OptionalLong number,
        OptionalInt process,
        Optional<String> kernelUser,
        List<Detail> details,
        List<Address> addresses) {
    /// Describes an object that this process has created.
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
    /// @param name the name in `rdma resource show`
    /// @param value unsigned
    public record Detail(String name, long value) {}

    /// An address with a port.
    ///
    /// @param name the name in `rdma resource show`
    public record Address(String name, InetSocketAddress address) {}
}

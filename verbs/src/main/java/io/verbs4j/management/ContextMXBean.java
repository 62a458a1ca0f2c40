// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

/// An open device. Its object name is `io.verbs4j:type=Context,name="rxe0-1"`, with a number that distinguishes the
/// contexts of a process.
public interface ContextMXBean {
    /// Returns the device's name, such as `rxe0`.
    String getDevice();

    /// Returns the name of the provider that drives the device, such as `rxe`.
    String getProvider();

    /// Reads all rings of the context, one after the other.
    RingsSnapshot getRings();
}

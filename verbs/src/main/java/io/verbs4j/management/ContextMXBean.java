// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

/// An open device. Its object name is `io.verbs4j:type=Context,name="rxe0-1"`, with a number that distinguishes contexts of a process
/// apart.
public interface ContextMXBean {
    /// The device's name, such as `rxe0`.
    String getDevice();

    /// The provider that drives it, such as `rxe`.
    String getProvider();

    /// All rings of the context, read one after the other now.
    RingsSnapshot getRings();
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

/// Creates the machine that [Host#current()] returns when the system property [#PROPERTY] is set. Found by
/// `java.util.ServiceLoader`.
public interface HostFactory {
    /// Name of the system property for a simulated machine.
    String PROPERTY = "verbs4j.simulate";

    /// Creates the machine.
    ///
    /// @param value the property's value, such as `2` for two devices
    /// @throws IllegalArgumentException if the value is invalid; the message lists valid values
    Host host(String value);
}

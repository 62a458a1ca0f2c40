// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

/// Switches the JMX management interface on and off. While it is on, each device that is opened gets a [ContextMXBean],
/// and each of the device's rings gets a [RingMXBean]. The platform's MBean server has these beans under the domain
/// [#DOMAIN].
///
/// Observers read the indices of the rings, so posting work maintains no counters. Polling counts the completions.
/// Without management, there are neither beans nor counters.
///
/// The interface requires the module `java.management`, which programs on the class path have. A program on the module
/// path adds the module by `--add-modules java.management`.
public final class Management {
    /// Name of the system property: `-Dverbs4j.management=true` switches management on from the start of the program.
    public static final String PROPERTY = "verbs4j.management";

    /// First part of all object names.
    public static final String DOMAIN = "io.verbs4j";

    private static volatile boolean on = Boolean.getBoolean(PROPERTY);

    private Management() {}

    /// Switches management on for devices that are opened from now on.
    public static void start() {
        on = true;
    }

    /// Switches management off for devices that are opened from now on.
    public static void stop() {
        on = false;
    }

    /// Returns whether a device that is opened now would be registered.
    ///
    /// @throws IllegalStateException if management is on, and the required module is missing
    public static boolean isOn() {
        if (on && Management.class.getModule().isNamed()
                && ModuleLayer.boot().findModule("java.management").isEmpty()) {
            throw new IllegalStateException(
                    PROPERTY + " needs the module java.management: start the program with"
                            + " --add-modules java.management");
        }
        return on;
    }
}

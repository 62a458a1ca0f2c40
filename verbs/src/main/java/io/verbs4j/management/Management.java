// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

/// Switches the management interface on. Each device that is opened afterwards registers its own MXBean
/// ([ContextMXBean]) and one for each ring ([RingMXBean]) with the platform's MBean server, under the domain [#DOMAIN].
///
/// Observers read the rings' indices; posting work counts nothing for them. Only completions are counted, in a field of
/// a class that replaces the queue's own. Without management, neither exists.
///
/// It requires the module `java.management`. A program on the class path has it; a program on the module path adds it
/// by `--add-modules java.management`.
public final class Management {
    /// Name of the system property: `-Dverbs4j.management=true` switches it on for a whole program.
    public static final String PROPERTY = "verbs4j.management";

    /// First part of all object names.
    public static final String DOMAIN = "io.verbs4j";

    private static volatile boolean on = Boolean.getBoolean(PROPERTY);

    private Management() {}

    /// Switches it on for devices that are opened from now on.
    public static void start() {
        on = true;
    }

    /// Switches it off for devices that are opened from now on.
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

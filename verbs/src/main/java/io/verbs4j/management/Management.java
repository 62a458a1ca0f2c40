// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.management;

/// Switches the management interface on: each device that is opened from then on registers an MXBean of its own
/// ([ContextMXBean]) and one for each ring ([RingMXBean]) with the platform's MBean server, under the domain [#DOMAIN].
///
/// Who watches reads the rings' indices, and nothing is counted for that while work is posted. Completions alone are counted, in
/// a field of a class that stands in for the queue's own: a program without management has neither.
///
/// Needs the module `java.management`, which a program on the class path has; one on the module path asks for it by
/// `--add-modules java.management`.
public final class Management {
    /// Name of the system property: `-Dverbs4j.management=true` switches it on for a whole program.
    public static final String PROPERTY = "verbs4j.management";

    /// The first part of all object names.
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

    /// Returns whether a device that is opened now would be shown.
    ///
    /// @throws IllegalStateException if it is on, and this program lacks the module for it
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

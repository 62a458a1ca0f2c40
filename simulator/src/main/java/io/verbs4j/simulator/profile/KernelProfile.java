// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.profile;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/// The kernel whose rxe driver a simulated device imitates.
public enum KernelProfile {
    /// Linux 6.1.
    LINUX_6_1("6.1.0"),
    /// Linux 6.12, release 6.12.115 or later.
    LINUX_6_12("6.12.115"),
    /// Linux 7.2.
    LINUX_7_2("7.2.0"),
    /// No kernel: the behaviour of the InfiniBand Architecture Specification, with all features of rxe.
    SPECIFICATION("7.2.0");

    private final String release;

    KernelProfile(String release) {
        this.release = release;
    }

    /// Returns whether the kernel has a behaviour.
    public boolean has(Behaviour behaviour) {
        return behaviour.isOf(this);
    }

    /// Returns all behaviours of the kernel.
    public Set<Behaviour> behaviours() {
        return Arrays.stream(Behaviour.values()).filter(this::has).collect(Collectors.toUnmodifiableSet());
    }

    /// Returns the kernel's release (`uname -r`).
    public String release() {
        return release;
    }

    /// Returns the profile with a name such as `6.1`, `6.12`, `7.2` or `specification`.
    ///
    /// @throws IllegalArgumentException if the name is unknown
    public static KernelProfile named(String name) {
        return Arrays.stream(values())
                .filter(profile -> profile.title().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kernel=" + name + " is none of "
                        + Arrays.stream(values()).map(KernelProfile::title).toList()));
    }

    /// Returns the name that [#named] accepts.
    public String title() {
        return this == SPECIFICATION ? "specification" : release.substring(0, release.lastIndexOf('.'));
    }
}

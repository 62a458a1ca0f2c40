// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.simulator.KernelProfile;

/// Differences between the connection managers of kernels.
record KernelTraits(KernelProfile profile) {
    private static final int FLUSHES = 0x300;
    private static final int EVERYTHING = 0x0e;
    private static final int WRITE = 0x02;

    /// Returns the acknowledgement timeout of a connection: 4.096 µs · 2^n.
    int acknowledgeTimeout() {
        return profile == KernelProfile.LINUX_6_1 ? 19 : 17;
    }

    /// Returns the rights of a peer whose reads and atomics are taken, or are not.
    int access(boolean readable) {
        int rights = readable ? EVERYTHING : WRITE;
        return profile == KernelProfile.LINUX_6_1 || !readable ? rights : rights | FLUSHES;
    }

    /// Returns whether programs may write events.
    boolean takesWrittenEvents() {
        return profile.compareTo(KernelProfile.LINUX_7_2) >= 0;
    }
}

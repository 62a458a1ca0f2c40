// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.types.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// One run of a program on a real device with one call that fails, and what must hold after it.
final class FaultRun {
    private FaultRun() {}

    /// Runs a program. The failure is reported or absorbed. When the file is closed, no objects are left in the kernel,
    /// and afterwards no resources in the process.
    ///
    /// @param errno error number of the failing call
    /// @param making creates the boundary with the fault, which runs the given action before it closes
    /// @param running runs the program
    /// @return whether the program reached the faulty call
    static boolean fail(
            int errno, Function<Runnable, FaultInjector> making, Function<FaultInjector, Outcome> running) {
        List<String> before = LeakCheck.objectsOfContexts();
        var left = new ArrayList<String>();
        FaultInjector injector = making.apply(() -> left.addAll(LeakCheck.objectsOfContexts()));
        Outcome outcome = running.apply(injector);
        assertThat(LeakCheck.descriptors()).as("descriptors after %s", outcome).isEmpty();
        assertThat(LeakCheck.mappings()).as("mappings after %s", outcome).isEmpty();
        if (injector.struck()) {
            outcome.assertFailedOrAbsorbed();
        }
        if (errno != Errno.EIO) { // of which the program believes that the kernel has destroyed its objects itself
            left.removeAll(before);
            assertThat(left).as("what the kernel had when the file was closed after %s", outcome).isEmpty();
        }
        return injector.struck();
    }
}

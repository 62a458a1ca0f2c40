// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Places of the sample that the tests have reached. Public, since classes of other packages call it.
public final class Probes {
    private static final AtomicIntegerArray REACHED = new AtomicIntegerArray(10_000);

    private Probes() {}

    /// A place is reached.
    public static void reached(int place) {
        if (REACHED.get(place) == 0) {
            REACHED.set(place, 1);
        }
    }

    /// Returns what was reached since the last call.
    static List<Integer> take() {
        var reached = new ArrayList<Integer>();
        for (int place = 0; place < REACHED.length(); place++) {
            if (REACHED.getAndSet(place, 0) != 0) {
                reached.add(place);
            }
        }
        return reached;
    }
}

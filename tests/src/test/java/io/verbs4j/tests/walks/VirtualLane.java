// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// Takes walks on simulated devices in virtual time, beside the model.
final class VirtualLane implements WalkSearch.Taker<Walk> {
    private final Set<Quirk> quirks;
    private final LongAdder steps;

    /// @param quirks quirks of the model
    /// @param steps counts the executed steps
    VirtualLane(Set<Quirk> quirks, LongAdder steps) {
        this.quirks = quirks;
        this.steps = steps;
    }

    @Override
    public void take(Walk walk, Duration limit) {
        steps.add(WalkRun.take(walk, new SimulatedEnds().open(walk.patient()), quirks, limit).size());
    }

    @Override
    public String packets(Walk walk) {
        return SimulatedEnds.packets(walk);
    }
}

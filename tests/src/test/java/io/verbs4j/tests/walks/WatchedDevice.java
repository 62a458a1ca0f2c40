// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// A device that records each answer: outcomes, completions, attributes and events. The model's results of each step
/// (rings, states, bytes) need not be recorded: an idle device matches the model.
final class WatchedDevice implements WalkDevice {
    private final RxeDevice device;
    private final List<String> seen = new ArrayList<>();
    private final Map<Side, List<String>> events = new EnumMap<>(Side.class);
    private String last = "";

    WatchedDevice(RxeDevice device) {
        this.device = device;
        for (Side side : Side.values()) {
            device.end(side).events();
            events.put(side, new ArrayList<>());
        }
    }

    @Override
    public Outcome perform(int index, Step step) {
        if (step instanceof Step.CloseQueuePair) {
            takeEvents(); // the kernel drops those of what is closed
        }
        Outcome outcome = device.perform(index, step);
        last = index + " " + step + ": " + outcome;
        return outcome;
    }

    @Override
    public State state() {
        return device.state();
    }

    @Override
    public boolean isAt(State expected) {
        boolean rests = device.isAt(expected);
        if (rests) {
            seen.add(last + " | " + device.end(Side.LEFT).details() + " | " + device.end(Side.RIGHT).details());
        }
        return rests;
    }

    @Override
    public void pause(long nanos) {
        device.pause(nanos);
    }

    private void takeEvents() {
        for (Side side : Side.values()) {
            events.get(side).addAll(device.end(side).events());
        }
    }

    /// A line for each step.
    List<String> seen() {
        return seen;
    }

    /// Events of an end, in their order.
    List<String> events(Side side) {
        return events.get(side);
    }

    @Override
    public void close() {
        try (device) {
            takeEvents();
        }
    }
}

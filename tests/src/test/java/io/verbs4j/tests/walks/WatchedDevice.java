// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/// A device whose every answer is taken down: outcomes, completions, what is to be seen after each step, attributes, counters
/// and events.
final class WatchedDevice implements WalkDevice {
    /// Two ticks of the slowest clock that a kernel has.
    private static final Duration TICKS = Duration.ofMillis(20);

    private final RxeDevice device;
    private final List<String> seen = new ArrayList<>();
    private final Map<Side, Map<String, Long>> countersBefore = new EnumMap<>(Side.class);
    private final Map<String, Long> counted = new HashMap<>();
    private final Map<Side, List<String>> events = new EnumMap<>(Side.class);
    private String last = "";

    WatchedDevice(RxeDevice device) {
        this.device = device;
        letCountersAge();
        for (Side side : Side.values()) {
            device.end(side).events();
            countersBefore.put(side, device.end(side).counters());
            events.put(side, new ArrayList<>());
        }
    }

    @Override
    public Outcome perform(int index, Step step) {
        takeDownState();
        Outcome outcome = device.perform(index, step);
        last = index + " " + step + ": " + outcome;
        return outcome;
    }

    @Override
    public State state() {
        return device.state();
    }

    @Override
    public void pause() {
        device.pause();
    }

    private void takeDownState() {
        if (last.isEmpty()) {
            return;
        }
        State state = device.state();
        var line = new StringBuilder(last);
        for (int number : state.numbers()) {
            line.append(' ').append(number);
        }
        var sum = new CRC32();
        for (byte[] region : state.memory()) {
            sum.update(region);
        }
        line.append(" memory ").append(Long.toHexString(sum.getValue()));
        for (Side side : Side.values()) {
            line.append(" | ").append(device.end(side).details());
            events.get(side).addAll(device.end(side).events());
        }
        seen.add(line.toString());
        last = "";
    }

    /// A line for each step.
    List<String> seen() {
        return seen;
    }

    /// Events of an end, in their order.
    List<String> events(Side side) {
        return events.get(side);
    }

    /// Returns what the devices have counted by name, `left` or `right` before it.
    Map<String, Long> counted() {
        return counted;
    }

    /// The kernel shows the same figures until their lifespan is over, which it counts in ticks of its clock.
    private void letCountersAge() {
        Duration lifespan = device.end(Side.LEFT).lifespanOfCounters();
        if (!lifespan.isZero()) {
            LockSupport.parkNanos(lifespan.plus(TICKS).toNanos());
        }
    }

    @Override
    public void close() {
        try (device) {
            takeDownState();
            letCountersAge();
            for (Side side : Side.values()) {
                device.end(side)
                        .counters()
                        .forEach((name, value) -> counted.put(
                                side.text() + " " + name, value - countersBefore.get(side).getOrDefault(name, 0L)));
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The observable state of both ends between two steps: numbers, and the bytes of all regions.
///
/// @param numbers the values of [#NUMBERS], those of the left end first
/// @param memory the regions, those of the left end first
record State(int[] numbers, byte[][] memory) {
    /// The numbers of an end. The indices are those of the rings, which are -1 without a queue pair.
    static final List<String> NUMBERS = List.of(
            "state of the queue pair",
            "producer index of the send queue",
            "consumer index of the send queue",
            "producer index of the receive queue",
            "consumer index of the receive queue",
            "producer index of completed sends",
            "consumer index of completed sends",
            "events of completed sends",
            "producer index of completed receives",
            "consumer index of completed receives",
            "events of completed receives");

    /// State of a queue pair that is closed.
    static final int CLOSED = -1;

    /// Added to the state of a queue pair that still drains its sends.
    static final int DRAINING = 100;

    /// Returns a number of an end.
    ///
    /// @param index index of its name in [#NUMBERS]
    int number(Side side, int index) {
        return numbers[side.ordinal() * NUMBERS.size() + index];
    }

    /// Returns what a region of an end holds.
    byte[] region(Side side, int number) {
        return memory[side.ordinal() * Layout.REGIONS.size() + number];
    }

    /// Returns what differs, one line each; empty if nothing does.
    List<String> differences(State actual) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != actual.numbers[i]) {
                lines.add(side(i / NUMBERS.size()) + NUMBERS.get(i % NUMBERS.size()) + " is " + actual.numbers[i]
                        + ", expected " + numbers[i]);
            }
        }
        for (int i = 0; i < memory.length; i++) {
            int at = Arrays.mismatch(memory[i], actual.memory[i]);
            if (at >= 0) {
                lines.add(side(i / Layout.REGIONS.size()) + "byte " + at + " of region " + i % Layout.REGIONS.size()
                        + " is " + actual.memory[i][at]
                        + ", expected " + memory[i][at]);
            }
        }
        return lines;
    }

    private static String side(int ordinal) {
        return Side.values()[ordinal].text() + ": ";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.RingReading;
import java.util.List;

/// Draws rings and states with plain characters.
final class Pictures {
    private static final int SLOTS_SHOWN = 16;
    private static final List<QueuePairState> USUAL_PATH =
            List.of(QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);

    private Pictures() {}

    /// Draws a queue pair's states, with the current one in brackets.
    static String states(QueuePairState present) {
        var text = new StringBuilder();
        for (QueuePairState state : USUAL_PATH) {
            text.append(text.isEmpty() ? "" : "-->")
                    .append(state.equals(present) ? "[" + state + "]" : " " + state + " ");
        }
        return text.append(USUAL_PATH.contains(present) ? "    (fails: ERR)" : "    now [" + present + "]").toString();
    }

    /// The legend of [#ring].
    static final String LEGEND = "####: filled; P: next slot to fill; C: next slot to consume";

    /// Draws a ring slot by slot, or as one line if it is empty.
    ///
    /// @param name the ring's name
    static List<String> ring(String name, RingReading ring) {
        if (ring.isEmpty()) {
            return List.of(name + ": empty, P and C at slot " + ring.consumerIndex() + " of 0.." + ring.capacity());
        }
        int slots = ring.capacity() + 1;
        int first = slots <= SLOTS_SHOWN ? 0 : Math.floorMod(ring.consumerIndex() - 2, slots);
        int shown = Math.min(slots, SLOTS_SHOWN);
        var numbers = new StringBuilder("  slot ");
        var boxes = new StringBuilder("       |");
        var marks = new StringBuilder("        ");
        for (int i = 0; i < shown; i++) {
            int slot = (first + i) % slots;
            boolean filled = Math.floorMod(slot - ring.consumerIndex(), slots) < ring.fill();
            boolean producer = slot == ring.producerIndex();
            boolean consumer = slot == ring.consumerIndex();
            numbers.append("%5d".formatted(slot));
            boxes.append(filled ? "####" : "    ").append('|');
            marks.append(producer ? " P  " : consumer ? " C  " : "    ").append(' ');
        }
        String filled = ring.fill() + " of " + ring.capacity() + ", the oldest is wr_id " + ring.oldestWorkRequestId();
        String more = shown < slots ? " ..." : "";
        return List.of(name + ": " + filled, numbers + more, boxes + more, marks.toString().stripTrailing());
    }
}

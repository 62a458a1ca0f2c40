// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// A model of what a completion queue holds.
final class QueueModel {
    private final Deque<WalkCompletion> waiting = new ArrayDeque<>();
    private final List<WalkCompletion> arrived = new ArrayList<>();
    private int capacity = Layout.capacity(Layout.COMPLETIONS);
    private int producer;
    private int consumer;
    private boolean armed;
    private boolean armedForSolicited;
    private int events;

    /// @param events that its predecessor had
    QueueModel(int events) {
        this.events = events;
    }

    int capacity() {
        return capacity;
    }

    int waiting() {
        return waiting.size();
    }

    void add(WalkCompletion completion, boolean solicited) {
        waiting.add(completion);
        arrived.add(completion);
        producer = producer + 1 & capacity;
        if (armed || armedForSolicited && solicited) {
            armed = false;
            armedForSolicited = false;
            events++;
        }
    }

    List<WalkCompletion> poll(int max) {
        var taken = new ArrayList<WalkCompletion>();
        while (taken.size() < max && !waiting.isEmpty()) {
            taken.add(waiting.remove());
        }
        consumer = consumer + taken.size() & capacity;
        return taken;
    }

    /// Returns what came since this was asked last.
    List<WalkCompletion> takeArrived() {
        var taken = List.copyOf(arrived);
        arrived.clear();
        return taken;
    }

    void arm(boolean solicitedOnly) {
        armedForSolicited |= solicitedOnly;
        armed |= !solicitedOnly;
    }

    /// Makes room for another number of completions. The kernel puts what waits at the new ring's start.
    void resize(int entries) {
        capacity = Layout.capacity(entries);
        producer = waiting.size();
        consumer = 0;
    }

    int[] numbers() {
        return new int[]{producer, consumer, events};
    }

    int events() {
        return events;
    }
}

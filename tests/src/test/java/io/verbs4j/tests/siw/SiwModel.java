// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.siw;

import io.verbs4j.types.CompletionOpcode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/// The expected state of one end of a connection over siw: memory, posted receives, and pending completions. siw's
/// rules: a message consumes the oldest receive, sends complete in order, and outstanding work is flushed when the
/// connection ends.
final class SiwModel {
    /// A receive that waits.
    record Receive(long id, int offset, int length) {}

    /// A completion that is to come; those of a connection that has ended have no opcode.
    record Expected(long id, boolean success, int opcode, int bytes) {}

    final byte[] memory;
    final Queue<Receive> receives = new ArrayDeque<>();
    final List<Expected> sent = new ArrayList<>();
    final List<Expected> received = new ArrayList<>();

    SiwModel(int bytes) {
        memory = new byte[bytes];
    }

    /// A message arrives, which fits the oldest receive.
    void receive(byte[] from, int offset, int length) {
        Receive receive = receives.remove();
        System.arraycopy(from, offset, memory, receive.offset, length);
        received.add(new Expected(receive.id, true, CompletionOpcode.RECEIVE.value(), length));
    }

    /// A request of ours is done.
    void sent(long id, boolean signaled, CompletionOpcode opcode) {
        if (signaled) {
            sent.add(new Expected(id, true, opcode.value(), 0));
        }
    }

    /// The connection ends: receives that wait are flushed.
    void end() {
        receives.forEach(receive -> received.add(new Expected(receive.id, false, 0, 0)));
        receives.clear();
    }

    boolean holds(byte[] other) {
        return Arrays.equals(memory, other);
    }
}

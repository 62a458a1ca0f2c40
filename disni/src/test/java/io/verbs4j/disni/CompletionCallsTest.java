// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests fields and events of the completions that DiSNI polls.
class CompletionCallsTest extends ConnectedEnds {
    /// C's `ibv_poll_cq` writes each field, and programs reuse their structs.
    @Test
    void aCompletionOverwritesEachField() throws IOException {
        server.receive(5, at(200), 10);
        calls.work()
                .postSend(client.queuePair, sends(client)
                        .add(-3, WorkRequestOpcode.SEND, SendFlags.SIGNALED, 0x01020304, at(0), 4)
                        .address());
        assertThat(fields(client.completion())).containsExactly(-3, 0, 0, 0, 4, 0,
                calls.objects().queuePairNumber(client.queuePair), 0, 0, 0, 0, 0, 0);
        assertThat(fields(server.completion())).containsExactly(5, 0, 128, 0, 4, 0,
                calls.objects().queuePairNumber(server.queuePair), 0, 1, 0, 0, 0, 0);
    }

    /// Returns the fields of an `ibv_wc`, and checks that nothing is written behind it.
    private static List<Integer> fields(MemorySegment wc) {
        assertThat(wc.asSlice(Structs.WC_BYTES).toArray(ValueLayout.JAVA_BYTE)).containsOnly(-1);
        var fields = new ArrayList<>(List.of((int) wc.get(ValueLayout.JAVA_LONG, 0)));
        for (int offset = 8; offset < 40; offset += 4) {
            fields.add(wc.get(ValueLayout.JAVA_INT, offset));
        }
        fields.addAll(List.of((int) wc.get(ValueLayout.JAVA_SHORT, 40), (int) wc.get(ValueLayout.JAVA_SHORT, 42),
                (int) wc.get(ValueLayout.JAVA_BYTE, 44), (int) wc.get(ValueLayout.JAVA_BYTE, 45)));
        return fields;
    }

    @Test
    void onlyASolicitedMessageRaisesAnEventOfASolicitedQueue() throws IOException {
        assertThat(calls.objects().requestNotification(server.queue, 1)).isZero();
        server.receive(1, at(0), 10);
        server.receive(2, at(0), 10);
        for (int flags : new int[]{SendFlags.SIGNALED | SendFlags.FENCE, SendFlags.SIGNALED | SendFlags.SOLICITED}) {
            client.send(7, flags, at(100), 3);
            client.completion();
            boolean solicited = (flags & SendFlags.SOLICITED) != 0;
            assertThat(calls.objects().awaitEvent(server.completionChannel, solicited ? MILLIS : 20))
                    .isEqualTo(solicited ? 0 : -1);
        }
    }

    @Test
    void pollsNoMoreThanIsAskedFor() throws IOException {
        for (int i = 0; i < 3; i++) {
            server.receive(10 + i, at(0), 10);
            client.send(i, SendFlags.SIGNALED, at(100), 3);
            client.completion();
        }
        MemorySegment wcs = arena.allocate(4L * Structs.WC_BYTES).fill((byte) -1);
        assertThat(calls.work().poll(server.queue, 0, wcs.address())).isZero();
        assertThat(calls.work().poll(server.queue, 2, wcs.address())).isEqualTo(2);
        assertThat(calls.work().poll(server.queue, 2, wcs.address() + 2L * Structs.WC_BYTES)).isEqualTo(1);
        for (int i = 0; i < 4; i++) {
            assertThat(wcs.get(ValueLayout.JAVA_LONG, (long) i * Structs.WC_BYTES)).isEqualTo(i < 3 ? 10 + i : -1);
        }
    }
}

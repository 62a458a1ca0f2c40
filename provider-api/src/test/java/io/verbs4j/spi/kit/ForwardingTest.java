// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ForwardingCompletionQueue;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests that an observing queue forwards each call, and what a provider gets without overriding.
class ForwardingTest {
    /// Records its calls.
    private static class Recorder extends ProviderCompletionQueue {
        final List<String> calls = new ArrayList<>();

        private int record(String call, int result) {
            calls.add(call);
            return result;
        }

        @Override
        public int handle() {
            return record("handle", 3);
        }

        @Override
        public int capacity() {
            return record("capacity", 4);
        }

        @Override
        public int begin() {
            return record("begin", 2);
        }

        @Override
        public boolean next(Completion completion) {
            return record("next", calls.size()) < 3;
        }

        @Override
        public void end() {
            record("end", 0);
        }

        @Override
        public void requestNotification(boolean solicitedOnly) {
            record("requestNotification " + solicitedOnly, 0);
        }

        @Override
        public void eventTaken() {
            record("eventTaken", 0);
        }

        @Override
        public void onOwnCompletions(Runnable announcement) {
            record("onOwnCompletions", 0);
        }

        @Override
        public void resize(int entries) {
            record("resize " + entries, 0);
        }

        @Override
        public void destroy() {
            record("destroy", 0);
        }
    }

    @Test
    void forwardsEachCall() {
        var queue = new Recorder() {
            @Override
            public @Nullable RingReading readRing() {
                calls.add("readRing");
                return super.readRing();
            }

            @Override
            public void forget(ProviderQueuePair queuePair) {
                calls.add("forget");
            }
        };
        var forwarding = new ForwardingCompletionQueue(new ForwardingCompletionQueue(queue) {}) {};
        assertThat(forwarding.unwrapped()).isSameAs(queue);
        assertThat(forwarding.begin()).isEqualTo(2);
        var completions = new Completion[]{new Completion(), new Completion(), new Completion()};
        assertThat(forwarding.next(completions, 1)).isOne();
        assertThat(forwarding.next(completions, 3)).as("the batch ends").isOne();
        forwarding.end();
        assertThat(forwarding.handle()).isEqualTo(3);
        assertThat(forwarding.capacity()).isEqualTo(4);
        assertThat(forwarding.readRing()).as("a device that does not expose its ring").isNull();
        forwarding.requestNotification(true);
        forwarding.eventTaken();
        forwarding.onOwnCompletions(() -> {});
        forwarding.resize(77);
        forwarding.destroy();
        assertThat(queue.calls).containsExactly(
                "begin", "next", "next", "next", "end", "handle", "capacity", "readRing", "requestNotification true",
                "eventTaken", "onOwnCompletions", "resize 77", "destroy");
    }

    @Test
    void anOperationIsUnsupportedUnlessAProviderOverridesIt() {
        var ring = new SendQueueOps() {
            @Override
            public int capacity() {
                return 1;
            }

            @Override
            public int maxScatterGather() {
                return 1;
            }

            @Override
            public int maxInlineData() {
                return 0;
            }

            @Override
            public void begin() {}

            @Override
            public int post(SendRequest request, long address, int length, int lkey) {
                return 0;
            }

            @Override
            public int post(SendRequest request, ScatterGatherList list) {
                return 0;
            }

            @Override
            public int postInline(SendRequest request, MemorySegment source, long offset, int length) {
                return 0;
            }

            @Override
            public int publish() {
                return 0;
            }

            @Override
            public void abandon() {}

            @Override
            public int doorbell() {
                return 0;
            }
        };
        assertThatThrownBy(() -> ring.post(new SendRequest())).isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("the device does not support the operation")
                .hasMessageContaining("EOPNOTSUPP");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.trace.TraceEntry;
import io.verbs4j.abi.trace.TracePart;
import io.verbs4j.abi.trace.Tracer;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tells a trace of the rings of one context: what was written and read, and which work request a failed completion belongs
/// to. Only there if the data path is traced; the rings themselves know nothing of it.
final class RingTrace {
    /// Work requests whose completions may still come. Those that are not signaled never do.
    private static final int REMEMBERED = 8192;

    private final Tracer tracer;
    private final Map<Key, TracedWork> posted = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, TracedWork> eldest) {
            return size() > REMEMBERED;
        }
    };

    private record Key(boolean receive, int queuePair, long workRequestId) {}

    private RingTrace(Tracer tracer) {
        this.tracer = tracer;
    }

    /// One for a context, if its file is traced and the rings shall be, too.
    static @Nullable RingTrace of(@Nullable Tracer tracer) {
        return tracer != null && tracer.tracesDataPath() ? new RingTrace(tracer) : null;
    }

    Tracer tracer() {
        return tracer;
    }

    /// Tells of a batch that becomes visible to the kernel.
    ///
    /// @param ring the ring's name
    /// @param queuePair the queue pair's number; 0 of a shared receive queue
    void posted(
            String ring, boolean receive, int queuePair, int from, int to, int consumer, List<TracedWork> batch) {
        var parts = new ArrayList<TracePart>();
        var texts = new ArrayList<String>();
        var mistakes = new ArrayList<String>();
        synchronized (posted) {
            for (TracedWork work : batch) {
                posted.put(new Key(receive, queuePair, work.workRequestId()), work);
            }
        }
        for (TracedWork work : batch) {
            parts.add(work.part());
            texts.add(work.text());
            if (!work.mistake().isEmpty()) {
                mistakes.add(work.text() + ": " + work.mistake());
            }
        }
        tracer.ring(
                TraceEntry.Kind.POST,
                receive ? "post receive" : "post send",
                ring,
                "producer_index " + from + " → " + to + ", consumer_index " + consumer,
                String.join("; ", texts),
                String.join("; ", mistakes),
                parts);
    }

    /// Tells of a batch of completions that is given back to the kernel.
    void completed(String ring, int from, int to, int producer, List<byte[]> batch, long address) {
        var parts = new ArrayList<TracePart>();
        var texts = new ArrayList<String>();
        var mistakes = new ArrayList<String>();
        int index = from;
        for (byte[] bytes : batch) {
            MemorySegment cqe = MemorySegment.ofArray(bytes);
            boolean invalidated = (cqe.get(INT, offset("wc_flags")) & 4) != 0;
            parts.add(tracer.part("CQE, slot " + index++, TracePart.Direction.FROM_KERNEL, address, bytes)
                    .struct(
                            RxeCqe.STRUCT,
                            Map.of("ex", invalidated ? "invalidate_rkey" : "imm_data"))
                    .room("the kernel's own part of the slot")
                    .build());
            long id = cqe.get(LONG, offset("wr_id"));
            int queuePair = cqe.get(INT, offset("qp_num"));
            CompletionStatus status = CompletionStatus.of(cqe.get(INT, offset("status")));
            var opcode = new CompletionOpcode(cqe.get(INT, offset("opcode")));
            boolean success = status.equals(CompletionStatus.SUCCESS);
            TracedWork work = take(queuePair, id, success ? opcode.isReceive() : null);
            String what = "wr_id " + id + " on qp#" + queuePair;
            if (success) {
                texts.add(what + " " + opcode + " " + Integer.toUnsignedString(cqe.get(INT, offset("byte_len")))
                        + " bytes");
            } else {
                texts.add(what + " " + status);
                mistakes.add(
                        what + ": " + status + ": " + (work == null ? status.likelyCause() : work.explain(status)));
            }
        }
        tracer.ring(
                TraceEntry.Kind.COMPLETION,
                "poll",
                ring,
                "consumer_index " + from + " → " + to + ", producer_index " + producer,
                String.join("; ", texts),
                String.join("; ", mistakes),
                parts);
    }

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private static long offset(String field) {
        return RxeCqe.STRUCT.offset(field);
    }

    /// The work request of a completion.
    ///
    /// @param receive which side; null of a failed completion, which does not say
    private @Nullable TracedWork take(int queuePair, long id, @Nullable Boolean receive) {
        synchronized (posted) {
            TracedWork work = null;
            if (receive == null || !receive) {
                work = posted.remove(new Key(false, queuePair, id));
            }
            if (work == null && (receive == null || receive)) {
                work = posted.remove(new Key(true, queuePair, id));
            }
            return work == null && (receive == null || receive) ? posted.remove(new Key(true, 0, id)) : work;
        }
    }
}

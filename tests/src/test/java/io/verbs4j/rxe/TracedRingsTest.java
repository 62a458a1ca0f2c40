// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.DeviceListener;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.tracing.JsonTrace;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TracePart;
import io.verbs4j.tracing.Tracing;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests what a trace of the data path shows, with a kernel that only completes.
class TracedRingsTest {
    private static final int SEND_BUFFER_KEY = 0x1234;

    private final FakeDevice device = new FakeDevice();
    private final List<TraceEntry> entries = new ArrayList<>();
    private DeviceListener listener;
    private CommandChannel channel = open(true);

    private CommandChannel open(boolean dataPath) {
        Tracing.Session session = Tracing.start(entries::add, dataPath);
        try {
            listener = Tracing.listener("rxe0", RxeStructs.ABI).orElseThrow();
            return CommandChannel.open(listener.listen(device), 14, "rxe0", 2, Transport.NATIVE_IOCTL);
        } finally {
            session.close();
        }
    }

    @AfterEach
    void close() {
        channel.close();
    }

    /// A completion queue, and a queue pair that completes there.
    private record Queues(ProviderCompletionQueue completions, ProviderQueuePair queuePair) {}

    private Queues queues() {
        var provider = new RxeProviderFactory();
        ProviderContext context = listener.rings()
                .map(rings -> provider.open(channel, rings))
                .orElseGet(() -> provider.open(channel));
        var domain = new ProviderProtectionDomain(channel, 3);
        ProviderCompletionQueue queue = context.createCompletionQueue(new CompletionQueueRequest(5, 1, null, 0));
        return new Queues(
                queue,
                context.createQueuePair(new QueuePairRequest(
                        domain, QueuePairType.RC, queue, queue, null, new QueuePairCapabilities(5, 5, 2, 1, 32), false,
                        2)));
    }

    private List<TraceEntry> entries(TraceEntry.Kind kind) {
        return entries.stream().filter(entry -> entry.kind() == kind).toList();
    }

    private void assertEveryByteIsExplained() {
        assertThat(entries).allSatisfy(entry -> {
            for (TracePart part : entry.parts()) {
                assertThat(part.isExplained()).as(entry.command() + " " + part.title() + " " + part.fields()).isTrue();
            }
        });
    }

    @Test
    void ringsThatAreNotTracedAreTheRingsThemselves() {
        channel = open(false);
        Queues queues = queues();
        assertThat(queues.completions()).isInstanceOf(RxeCompletionQueue.class);
        assertThat(queues.queuePair().sendOps()).isInstanceOf(SendRing.class);
        assertThat(queues.queuePair().receiveOps()).isInstanceOf(ReceiveRing.class);
    }

    @Test
    void eachBatchIsReportedWithItsSlotsAndIndices() {
        Queues queues = queues();
        var sends = queues.queuePair().sendOps();
        sends.begin();
        sends.post(SendRequest.of(7, SendFlags.SIGNALED).operation(WorkRequestOpcode.RDMA_WRITE).remote(0x2000, 0x99),
                0x1000, 64, SEND_BUFFER_KEY);
        sends.postInline(
                SendRequest.of(8, 0).operation(WorkRequestOpcode.SEND_WITH_IMMEDIATE).immediateDataOrKey(0xcafe),
                MemorySegment.ofArray(new byte[16]), 0, 16);
        sends.post(SendRequest.of(9, 0)
                .operation(WorkRequestOpcode.COMPARE_AND_SWAP)
                .remote(0x2000, 0x99)
                .operands(5, 6), 0x1000,
                Long.BYTES, SEND_BUFFER_KEY);
        assertThat(sends.publish()).isEqualTo(3);

        TraceEntry entry = entries(TraceEntry.Kind.POST).getLast();
        assertThat(entry.command()).isEqualTo("send ring of qp#17");
        assertThat(entry.arguments()).isEqualTo("producer_index 0 → 3, consumer_index 0");
        assertThat(entry.outcome())
                .isEqualTo(
                        "wr_id 7 RDMA_WRITE 64 bytes; wr_id 8 SEND_WITH_IMMEDIATE 16 bytes; wr_id 9 COMPARE_AND_SWAP 8 bytes");
        assertThat(entry.explanation())
                .contains("wr_id 7 RDMA_WRITE 64 bytes: sge[0]: lkey=0x1234 is not the key of a region");
        assertField(entry, 0, "wr.wr.rdma.remote_addr", "0x2000");
        assertField(entry, 0, "wr.send_flags", "SIGNALED (0x2)");
        assertField(entry, 0, "sge[0].length", "64");
        assertField(entry, 1, "wr.ex.imm_data", "0xcafe");
        assertField(entry, 2, "wr.wr.atomic.swap", "6");
        assertEveryByteIsExplained();
    }

    private static void assertField(TraceEntry entry, int part, String path, String text) {
        assertThat(entry.parts().get(part).fields())
                .filteredOn(field -> field.path().equals(path))
                .singleElement()
                .satisfies(field -> assertThat(field.text()).isEqualTo(text));
    }

    @Test
    void anAbandonedBatchIsNotReported() {
        var sends = queues().queuePair().sendOps();
        sends.begin();
        sends.post(SendRequest.of(1, 0).operation(WorkRequestOpcode.LOCAL_INVALIDATE).immediateDataOrKey(5));
        sends.abandon();
        sends.begin();
        assertThat(sends.publish()).isZero();
        assertThat(entries(TraceEntry.Kind.POST)).isEmpty();
    }

    @Test
    void aFailedCompletionIsShownWithItsWorkRequest() {
        Queues queues = queues();
        var receives = Objects.requireNonNull(queues.queuePair().receiveOps());
        receives.begin();
        receives.receive(4, new ScatterGatherList());
        receives.publish();
        device.ring("CQ").produce(FakeKernel.completion(4, 2, 0, 0, 17));
        var completion = new Completion();
        assertThat(queues.completions().begin()).isEqualTo(1);
        assertThat(queues.completions().next(completion)).isTrue();
        assertThat(queues.completions().next(completion)).isFalse();
        queues.completions().end();
        queues.completions().begin();
        queues.completions().end();

        assertThat(entries(TraceEntry.Kind.COMPLETION)).singleElement().satisfies(entry -> {
            assertThat(entry.command()).startsWith("completion ring of cq#");
            assertThat(entry.arguments()).isEqualTo("consumer_index 5 → 6, producer_index 6");
            assertThat(entry.outcome()).isEqualTo("wr_id 4 on qp#17 LOCAL_QP_OPERATION_ERROR");
            assertThat(entry.explanation())
                    .endsWith("wr_id 4 receive 0 bytes: the message was longer than these 0 bytes");
        });
        assertEveryByteIsExplained();
    }

    @Test
    void aTraceIsJson() {
        var json = new StringWriter();
        var sink = new JsonTrace(json);
        eachBatchIsReportedWithItsSlotsAndIndices();
        entries.forEach(sink::accept);
        assertThat(json.toString().lines()).hasSize(entries.size()).allMatch(line -> line.startsWith("{\"number\":"));
    }
}

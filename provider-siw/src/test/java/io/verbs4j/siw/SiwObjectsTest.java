// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderMemoryRegion;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.spi.kit.Element;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.Gid;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The objects of a siw device: the commands that each method sends, the flush of work requests in ERR, which the
/// kernel leaves to the provider, and the text of each refusal.
class SiwObjectsTest {
    private static final Gid GID = Gid.parse("0000:0000:0000:0000:0000:ffff:0a00:0001");

    private final PlayedSiw device = new PlayedSiw();
    private final ProviderCompletionQueue sent = completionQueue();
    private final ProviderCompletionQueue received = completionQueue();

    @AfterEach
    void close() {
        device.close();
    }

    private ProviderCompletionQueue completionQueue() {
        return device.context().createCompletionQueue(new CompletionQueueRequest(8, 1, null, 0));
    }

    private ProviderSharedReceiveQueue sharedReceiveQueue() {
        return device.context()
                .createSharedReceiveQueue(new SharedReceiveQueueRequest(device.domain(), 2, 4, 2, 1));
    }

    private ProviderQueuePair queuePair(@Nullable ProviderSharedReceiveQueue shared, boolean signalAll) {
        return device.context()
                .createQueuePair(new QueuePairRequest(device.domain(), QueuePairType.RC, sent, received, shared,
                        new QueuePairCapabilities(4, 4, 2, 3, 0), signalAll, 3));
    }

    private static ReceiveQueueOps receives(ProviderQueuePair pair) {
        return Objects.requireNonNull(pair.receiveOps());
    }

    private static void send(ProviderQueuePair pair, int opcode, long... ids) {
        pair.sendOps().begin();
        for (long id : ids) {
            SendRequest request = SendRequest.of(id, 0).operation(opcode).remote(8, 9);
            assertThat(pair.sendOps().post(request, 0x1000, 8, 1)).isEqualTo(PostResult.POSTED);
        }
        assertThat(pair.sendOps().publish()).isEqualTo(ids.length);
    }

    private static void receive(ReceiveQueueOps receives, long... ids) {
        receives.begin();
        for (long id : ids) {
            assertThat(receives.receive(id, 0x1000, 8, 1)).isEqualTo(PostResult.POSTED);
        }
        assertThat(receives.publish()).isEqualTo(ids.length);
    }

    private static QueuePairAttributes state(QueuePairState state) {
        return QueuePairAttributes.builder().state(state).build();
    }

    /// Takes all completions, as `id opcode status bytes queue pair`.
    private static List<String> completions(ProviderCompletionQueue queue) {
        var completions = new ArrayList<String>();
        var completion = new Completion();
        completion.set(0, 0, 0, 99, 0, 0).carried(Completion.WITH_INVALIDATE, 5);
        while (queue.begin() != 0 && queue.next(completion)) {
            queue.end();
            completions.add(completion.workRequestId() + " " + completion.opcode() + " " + completion.status() + " "
                    + completion.byteLength() + " " + completion.queuePairNumber());
            assertThat(List.of(completion.flags(), completion.immediateDataOrKey(), completion.vendorError()))
                    .containsOnly(0);
        }
        assertThat(queue.next(completion)).isFalse();
        return completions;
    }

    private static void unsupported(ThrowingCallable call, String operation, String instead) {
        assertThatThrownBy(call)
                .isInstanceOf(NotSupportedException.class)
                .hasMessage(operation + " failed: " + Errno.describe(Errno.EOPNOTSUPP) + ": " + instead);
    }

    @Test
    void workRequestsOfAFailedQueuePairAreFlushedBeforeAndAfterTheFailure() throws InterruptedException {
        ProviderQueuePair pair = queuePair(null, false);
        send(pair, WorkRequestOpcode.SEND, 1);
        send(pair, WorkRequestOpcode.RDMA_READ, 2);
        receive(receives(pair), 3, 4);
        device.commands();
        assertThat(pair.sendOps().doorbell()).isZero();
        pair.flushReceives();
        pair.modify(QueuePairAttributes.builder().qkey(5).build());
        pair.modify(state(QueuePairState.SQD));
        assertThat(device.commands())
                .containsExactly(
                        "POST_SEND qp_handle=4 wqe_size=56",
                        "MODIFY_QP qp_handle=4 attr_mask=64 qkey=5",
                        "MODIFY_QP qp_handle=4 attr_mask=1 qp_state=4");
        assertThat(sent.begin()).as("completions before the failure").isZero();
        assertThat(received.begin()).isZero();

        pair.modify(state(QueuePairState.ERR));
        assertThat(device.commands()).containsExactly("MODIFY_QP qp_handle=4 attr_mask=1 qp_state=6");
        assertThat(device.waitingSends() + device.waitingReceives()).as("left in the rings").isZero();
        assertThat(completions(sent)).containsExactly("1 0 5 0 17", "2 2 5 0 17");
        assertThat(completions(received)).containsExactly("3 128 5 0 17", "4 128 5 0 17");

        send(pair, WorkRequestOpcode.RDMA_WRITE, 5, 6);
        assertThat(sent.begin()).as("completions before the doorbell").isZero();
        assertThat(pair.sendOps().doorbell()).isZero();
        assertThat(sent.begin()).isEqualTo(1);
        assertThat(completions(sent)).containsExactly("5 1 5 0 17", "6 1 5 0 17");
        receive(receives(pair), 7);
        assertThat(Thread.ofVirtual().start(pair::flushReceives).join(Duration.ofSeconds(10))).isTrue();
        assertThat(completions(received)).containsExactly("7 128 5 0 17");
    }

    /// The kernel has moved the queue pair to ERR by itself. Work requests that are posted afterwards complete, too.
    @ParameterizedTest(name = "noted: {0}")
    @ValueSource(booleans = {false, true})
    void workRequestsAreFlushedAfterTheKernelHasReportedTheFailure(boolean noted) {
        ProviderQueuePair pair = queuePair(null, false);
        send(pair, WorkRequestOpcode.SEND, 1);
        device.commands();
        if (noted) {
            pair.noteState(QueuePairState.ERR);
        } else {
            device.reportedState = QueuePairState.ERR.value();
            assertThat(pair.query(1).state()).isEqualTo(QueuePairState.ERR);
        }
        assertThat(device.commands()).hasSize(noted ? 1 : 2)
                .last()
                .isEqualTo("MODIFY_QP qp_handle=4 attr_mask=1 qp_state=6");
        assertThat(completions(sent)).containsExactly("1 0 5 0 17");

        send(pair, WorkRequestOpcode.SEND, 2);
        assertThat(pair.sendOps().doorbell()).isZero();
        receive(receives(pair), 3);
        pair.flushReceives();
        assertThat(completions(sent)).containsExactly("2 0 5 0 17");
        assertThat(completions(received)).containsExactly("3 128 5 0 17");
        device.commands();
        pair.query(1);
        assertThat(device.commands()).containsExactly("QUERY_QP qp_handle=4 attr_mask=1");
    }

    @Test
    void aSharedReceiveQueueIsNotFlushed() {
        ProviderSharedReceiveQueue shared = sharedReceiveQueue();
        ProviderQueuePair pair = queuePair(shared, false);
        receive(shared.receiveOps(), 3);
        send(pair, WorkRequestOpcode.SEND, 1);
        pair.modify(state(QueuePairState.ERR));
        assertThat(completions(sent)).containsExactly("1 0 5 0 17");
        assertThat(completions(received)).isEmpty();
        assertThat(device.waitingReceives()).isEqualTo(1);
    }

    @Test
    void completionsOfADestroyedQueuePairAreDropped() {
        var flushed = new FlushedWork();
        var completion = new Completion();
        assertThat(flushed.some()).isFalse();
        flushed.forget(17);
        assertThat(flushed.some()).isFalse();
        flushed.add(1, 3, 17);
        flushed.add(2, 3, 18);
        flushed.forget(17);
        assertThat(flushed.some()).as("another queue pair's").isTrue();
        assertThat(flushed.next(completion)).isTrue();
        assertThat(completion.workRequestId()).isEqualTo(2);
        assertThat(completion.queuePairNumber()).isEqualTo(18);
        assertThat(flushed.some()).isFalse();
        assertThat(flushed.next(completion)).isFalse();

        ProviderQueuePair pair = queuePair(null, false);
        send(pair, WorkRequestOpcode.SEND, 1);
        pair.modify(state(QueuePairState.ERR));
        sent.forget(pair);
        assertThat(sent.begin()).isZero();
    }

    /// The kernel raises no event for them.
    @Test
    void flushedWorkIsAnnouncedOnceForEachArming() {
        var announced = new ArrayList<String>();
        sent.onOwnCompletions(() -> announced.add("sent"));
        received.onOwnCompletions(() -> announced.add("received"));
        ProviderQueuePair pair = queuePair(null, false);
        sent.requestNotification(false);
        send(pair, WorkRequestOpcode.SEND, 1);
        receive(receives(pair), 2);
        pair.modify(state(QueuePairState.ERR));
        assertThat(announced).as("only the armed queue").containsExactly("sent");

        send(pair, WorkRequestOpcode.SEND, 3);
        assertThat(pair.sendOps().doorbell()).isZero();
        assertThat(announced).as("not armed again").containsExactly("sent");

        received.requestNotification(false);
        receive(receives(pair), 4);
        pair.flushReceives();
        assertThat(announced).containsExactly("sent", "received");
        assertThat(completions(received)).hasSize(2);
        received.requestNotification(false);
        pair.flushReceives();
        assertThat(announced).as("nothing was flushed").containsExactly("sent", "received");
    }

    /// Linux 6.1 does not report the state, which then reads as RESET.
    @Test
    void theStateIsTheLastOneSetIfTheKernelDoesNotReportIt() {
        ProviderQueuePair pair = queuePair(null, false);
        device.commands();
        assertThat(pair.query(1).state()).isEqualTo(QueuePairState.RESET);
        assertThat(device.commands()).containsExactly("QUERY_QP qp_handle=4 attr_mask=1");
        pair.noteState(QueuePairState.RTS);
        assertThat(pair.query(1).state()).isEqualTo(QueuePairState.RTS);
        device.reportedState = QueuePairState.SQE.value();
        assertThat(pair.query(1).state()).isEqualTo(QueuePairState.SQE);
        device.reportedState = 0;
        pair.modify(state(QueuePairState.ERR));
        assertThat(pair.query(1).state()).isEqualTo(QueuePairState.ERR);
    }

    @Test
    void aQueryReturnsNothingThatSiwDoesNotReport() {
        QueuePairAttributes answer = queuePair(null, false).query(-1);
        assertThat(answer.port()).isEqualTo(1);
        assertThat(answer.has(QueuePairAttribute.QKEY)).isFalse();
        assertThat(answer.qkey()).isZero();
        assertThat(answer.timeout()).isZero();
    }

    @Test
    void aQueuePairIsConnectedByTheConnectionManagerOnly() {
        ProviderQueuePair pair = queuePair(null, false);
        device.commands();
        for (QueuePairState state : List.of(QueuePairState.RTR, QueuePairState.RTS)) {
            unsupported(
                    () -> pair.modify(state(state)),
                    "modify queue pair to " + state,
                    "iWARP connects by TCP, in the kernel: connect by the connection manager (module io.verbs4j.cm)");
        }
        assertThat(device.commands()).isEmpty();
        assertThat(pair.query(1).state()).isEqualTo(QueuePairState.RESET);
    }

    @Test
    void capacitiesAreRaisedToWhatTheKernelCreates() {
        device.commands();
        ProviderQueuePair pair = device.context()
                .createQueuePair(new QueuePairRequest(device.domain(), QueuePairType.RC, sent, received, null,
                        new QueuePairCapabilities(0, 0, 9, 1, 3), true, 3));
        assertThat(device.commands())
                .containsExactly("CREATE_QP user_handle=3 pd_handle=1 send_cq_handle=2 recv_cq_handle=3 max_send_wr=1"
                        + " max_recv_wr=1 max_send_sge=9 max_recv_sge=1 max_inline_data=3 sq_sig_all=1 qp_type=2");
        assertThat(pair.capabilities()).isEqualTo(new QueuePairCapabilities(1, 1, 6, 1, 80));
        send(pair, WorkRequestOpcode.SEND, 1);
        assertThat(device.takeSend(0).flags()).as("signaled without a flag").isEqualTo(2);
        assertThat(queuePair(null, false).capabilities()).isEqualTo(new QueuePairCapabilities(4, 4, 2, 3, 80));
        assertThat(queuePair(sharedReceiveQueue(), false).capabilities())
                .isEqualTo(new QueuePairCapabilities(4, 0, 2, 0, 80));
    }

    @Test
    void theRingsCanBeRead() {
        ProviderQueuePair pair = queuePair(null, false);
        send(pair, WorkRequestOpcode.SEND, 11, 12, 13);
        device.takeSend(0);
        receive(receives(pair), 21, 22);
        assertThat(pair.readSendRing()).isEqualTo(new RingReading(4, 2, 3, 1, 12));
        assertThat(pair.readReceiveRing()).isEqualTo(new RingReading(4, 2, 2, 0, 21));
        assertThat(received.readRing()).isEqualTo(new RingReading(8, 1, 1, 0, 11));
        assertThat(sent.readRing()).isEqualTo(new RingReading(8, 0, 0, 0, 0));
        ProviderSharedReceiveQueue shared = sharedReceiveQueue();
        receive(shared.receiveOps(), 31);
        assertThat(shared.readRing()).isEqualTo(new RingReading(4, 1, 1, 0, 31));
        assertThat(queuePair(shared, false).readReceiveRing()).isNull();
    }

    @Test
    void aSharedReceiveQueueSendsItsCommands() {
        device.commands();
        ProviderSharedReceiveQueue shared = sharedReceiveQueue();
        shared.armLimit(3);
        assertThat(shared.query()).isEqualTo(new QuerySharedReceiveQueue.Response(8, 6, 3));
        assertThat(shared.number()).isZero();
        assertThat(shared.handle()).isEqualTo(4);
        unsupported(
                () -> shared.resize(9),
                "resize shared receive queue",
                "siw does not support it: create the queue for the maximum number of waiting receives");
        assertThat(device.commands())
                .containsExactly(
                        "CREATE_SRQ user_handle=2 pd_handle=1 max_wr=4 max_sge=2 srq_limit=1",
                        "MODIFY_SRQ srq_handle=4 attr_mask=2 srq_limit=3",
                        "QUERY_SRQ srq_handle=4");
    }

    @Test
    void memoryIsRegisteredAtItsOwnAddress() {
        device.commands();
        ProviderMemoryRegion region = device.context().registerMemory(device.domain(), 0x7000, 64, 0x7000, 5);
        assertThat(device.commands())
                .containsExactly("REG_MR start=28672 length=64 hca_va=28672 pd_handle=1 access_flags=5");
        assertThat(List.of(region.handle(), region.lkey(), region.rkey())).containsExactly(4, 0x500, 0x600);
        unsupported(
                () -> device.context().registerMemory(device.domain(), 0x7000, 64, 0, 5),
                "register memory",
                "siw supports only the memory's own address: iova=0");
        assertThat(device.commands()).isEmpty();
    }

    @Test
    void missingFeaturesAreRefusedWithAnAlternative() {
        ProviderQueuePair pair = queuePair(null, false);
        device.commands();
        unsupported(
                () -> device.context().allocateMemoryWindow(device.domain(), 1),
                "allocate memory window",
                "siw has no memory windows: register a separate region for the peer");
        unsupported(
                () -> device.context().createAddressHandle(device.domain(), AddressVector.roce(1, 0, GID)),
                "create address handle",
                "siw has no datagrams: connect a reliable connection instead");
        unsupported(
                () -> pair.attachMulticast(GID, 0), "attach multicast", "siw has no datagrams: send to each peer");
        unsupported(
                () -> pair.detachMulticast(GID, 0), "attach multicast", "siw has no datagrams: send to each peer");
        unsupported(
                () -> sent.resize(9),
                "resize completion queue",
                "siw does not support it: create the queue for the maximum number of waiting completions");
        unsupported(
                () -> sent.requestNotification(true),
                "request notification of solicited messages",
                "siw raises no event for solicited messages: request an event for any completion");
        unsupported(
                () -> device.context()
                        .createQueuePair(new QueuePairRequest(device.domain(), QueuePairType.UD, sent, received, null,
                                new QueuePairCapabilities(4, 4, 2, 3, 0), false, 3)),
                "create queue pair of type UD",
                "siw has reliable connections only: use RC");
        assertThat(device.commands()).isEmpty();
    }

    @Test
    void theContextTellsTheDevice() {
        var factory = new SiwProviderFactory();
        assertThat(factory.name()).isEqualTo("siw");
        assertThat(factory.driverId()).isEqualTo(RdmaDriver.SIW);
        assertThat(factory.minimumAbiVersion()).isEqualTo(1);
        assertThat(factory.maximumAbiVersion()).isEqualTo(1);
        assertThat(device.context().providerName()).isEqualTo("siw");
        assertThat(device.context().maxInlineData()).isEqualTo(80);
        assertThat(features(device)).isEmpty();
        try (var other = new PlayedSiw(4096, 5)) {
            other.open();
            assertThat(features(other)).containsExactly(Feature.SHARED_RECEIVE_QUEUE);
            assertThat(((SiwContext) other.context()).maxMessage()).isEqualTo(4096);
        }
        assertThat(((SiwContext) device.context()).maxMessage()).isEqualTo(Integer.MAX_VALUE);
        assertThat(device.commands()).startsWith("GET_CONTEXT", "QUERY_PORT port_num=1", "EX_QUERY_DEVICE",
                "QUERY_DEVICE", "ALLOC_PD");
        assertThat(sent.capacity()).isEqualTo(8);
    }

    @ParameterizedTest(name = "call {0} fails")
    @ValueSource(ints = {1, 2, 3, 4})
    void aContextThatCannotBeQueriedClosesItsEvents(int failing) {
        try (var other = new PlayedSiw(4096, 5)) {
            other.failAny(failing);
            assertThatThrownBy(other::open).isInstanceOf(VerbsException.class);
            // The kernel has no extended query of the device, so a plain one follows.
            List<String> all = List.of("get context", "query port", "query device", "query device");
            var expected = new ArrayList<>(all.subList(0, failing));
            expected.addLast(expected.removeLast() + " fails");
            if (failing > 1) {
                expected.add("close events");
            }
            assertThat(other.log()).isEqualTo(expected);
        }
    }

    @Test
    void destroyingReturnsTheReportedEvents() {
        device.reportedEvents = 3;
        assertThat(queuePair(null, false).destroy()).isEqualTo(3);
        assertThat(sharedReceiveQueue().destroy()).isEqualTo(3);
    }

    @Test
    void receivesOfASharedQueueHaveAtMostSixBuffers() {
        var seven = new ScatterGatherList();
        for (int i = 0; i < 7; i++) {
            seven.add(i, 1, 1);
        }
        ProviderSharedReceiveQueue shared = device.context()
                .createSharedReceiveQueue(new SharedReceiveQueueRequest(device.domain(), 2, 4, 9, 0));
        shared.receiveOps().begin();
        invalid(() -> shared.receiveOps().receive(1, seven), "elements=7 exceeds maxScatterGather=6");
        ReceiveQueueOps own = receives(device.context()
                .createQueuePair(new QueuePairRequest(device.domain(), QueuePairType.RC, sent, received, null,
                        new QueuePairCapabilities(4, 4, 9, 9, 0), false, 3)));
        own.begin();
        invalid(() -> own.receive(1, seven), "elements=7 exceeds maxScatterGather=6");
    }

    private static List<Feature> features(PlayedSiw device) {
        return Arrays.stream(Feature.values()).filter(device.context()::supports).toList();
    }

    @Test
    void invalidSizesOfRingsAreRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(SiwStructs.CREATE_CQ.layout());
            for (int slots : new int[]{1, 2, 1 << 24}) {
                answer.set(JAVA_INT, 4, slots);
                assertThat(RingAnswer.slots("queue", answer, SiwStructs.CREATE_CQ, "num_cqe")).isEqualTo(slots);
            }
            for (int slots : new int[]{0, 3, 1 << 25, -1, Integer.MIN_VALUE}) {
                answer.set(JAVA_INT, 4, slots);
                assertThatThrownBy(() -> RingAnswer.slots("queue", answer, SiwStructs.CREATE_CQ, "num_cqe"))
                        .isInstanceOf(VerbsException.class)
                        .hasMessage("map queue failed: " + Errno.describe(Errno.EPROTO) + ": invalid answer of the"
                                + " kernel: num_cqe=" + Integer.toUnsignedString(slots) + " is not a power of two");
            }
        }
    }

    @Test
    void bufferLimitsAreChecked() {
        ReceiveQueueOps receives = receives(queuePair(null, false));
        var four = new ScatterGatherList().add(0, 1, 1).add(1, 1, 1).add(2, 1, 1).add(3, 1, 1);
        var long_ = new ScatterGatherList().add(0, Integer.MAX_VALUE, 1).add(0, 1, 1);
        var longest = new ScatterGatherList().add(0, Integer.MAX_VALUE, 1).add(0, 0, 1);
        receives.begin();
        invalid(() -> receives.receive(1, four), "elements=4 exceeds maxScatterGather=3");
        invalid(() -> receives.receive(1, long_), "length=2147483648 is not in 0..2147483647");
        invalid(() -> receives.receive(1, 0, -1, 0), "length=-1 is not in 0..2147483647");
        assertThat(receives.receive(1, longest)).isEqualTo(PostResult.POSTED);
        assertThat(receives.receive(1, 0, Integer.MAX_VALUE, 0)).isEqualTo(PostResult.POSTED);

        MemorySegment memory = Arena.ofAuto().allocate(2 * 120, 4096);
        SendRequest send = SendRequest.of(1, 0).operation(WorkRequestOpcode.SEND);
        var bare = new SiwSendRing(memory, 2, SiwSendRing.limits(0, 0, 9), false, () -> 0);
        bare.begin();
        invalid(() -> bare.post(send, 0, 1, 0), "elements=1 exceeds maxScatterGather=0");
        assertThat(bare.post(send, 0, 0, 0)).isEqualTo(PostResult.POSTED);
        var none = new SiwReceiveRing(memory, 2, 0);
        none.begin();
        invalid(() -> none.receive(1, 0, 1, 0), "elements=1 exceeds maxScatterGather=0");
        assertThat(none.receive(1, 0, 0, 0)).isEqualTo(PostResult.POSTED);
        assertThat(none.receive(2, new ScatterGatherList())).isEqualTo(PostResult.POSTED);
        assertThat(none.receive(3, 0, 0, 0)).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(none.receive(4, new ScatterGatherList())).isEqualTo(PostResult.QUEUE_FULL);
    }

    private static void invalid(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }

    @Test
    void aReadOfAnEmptyListHasOneEmptyBuffer() {
        ProviderQueuePair pair = queuePair(null, false);
        SendRequest read = SendRequest.of(1, 0).operation(WorkRequestOpcode.RDMA_READ).remote(8, 9);
        pair.sendOps().begin();
        for (int i = 0; i < 4; i++) {
            assertThat(pair.sendOps().post(read, new ScatterGatherList())).isEqualTo(PostResult.POSTED);
        }
        assertThat(pair.sendOps().post(read, new ScatterGatherList())).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(pair.sendOps().publish()).isEqualTo(4);
        assertThat(device.waitingSends()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            assertThat(device.takeSend(0).buffers()).as("buffers with bytes").isEmpty();
        }
        pair.sendOps().begin();
        pair.sendOps().post(read, new ScatterGatherList().add(0x5000, 7, 3));
        pair.sendOps().publish();
        assertThat(device.takeSend(0).buffers()).containsExactly(new Element.Buffer(0x5000, 7, 3));
    }

    @Test
    void limitsAreThoseOfReliableConnections() {
        var limits = SiwSendRing.limits(1, 2, 3);
        assertThat(limits.operations().transfers()).isEqualTo(1 | 1 << 2 | 1 << 4 | 1 << 9);
        assertThat(limits.operations().inline()).isEqualTo(1 | 1 << 2);
        assertThat(List.of(limits.operations().datagrams(), limits.operations().atomics(), limits.operations().plain()))
                .containsOnly(0);
        assertThat(List.of(limits.driver(), limits.type(), limits.flags())).containsExactly("siw", QueuePairType.RC, 7);
        assertThat(List.of(limits.maxScatterGather(), limits.maxReadScatterGather(), limits.maxInlineData()))
                .containsExactly(1, 1, 2);
        assertThat(limits.maxMessage()).isEqualTo(3);
    }

    @Test
    void missingOperationsAreRefusedWithAnAlternative() {
        var alternatives = Map.of(
                WorkRequestOpcode.SEND_WITH_IMMEDIATE,
                "iWARP has no immediate data: send the number in a message, after the write if there is one",
                WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                "iWARP has no immediate data: send the number in a message, after the write if there is one",
                WorkRequestOpcode.COMPARE_AND_SWAP,
                "siw has no atomics: send a message to the memory's owner, which executes the operation",
                WorkRequestOpcode.FETCH_AND_ADD,
                "siw has no atomics: send a message to the memory's owner, which executes the operation",
                WorkRequestOpcode.ATOMIC_WRITE,
                "siw has no atomics: send a message to the memory's owner, which executes the operation",
                WorkRequestOpcode.BIND_MEMORY_WINDOW,
                "siw has no memory windows: register a separate region for the peer",
                WorkRequestOpcode.LOCAL_INVALIDATE,
                "siw invalidates keys for the kernel only: deregister the region",
                WorkRequestOpcode.FLUSH,
                "siw has no flush: read a written byte; the answer arrives after the write");
        ProviderQueuePair pair = queuePair(null, false);
        for (int opcode = -1; opcode < 40; opcode++) {
            String alternative = alternatives.get(opcode);
            SendRequest request = SendRequest.of(1, 0).operation(opcode);
            if (alternative == null) {
                invalid(
                        () -> pair.sendOps().post(request),
                        "opcode=" + WorkRequestOpcode.name(opcode)
                                + " cannot be posted to a queue pair of type RC by this method");
            } else {
                unsupported(
                        () -> pair.sendOps().post(request), "post " + WorkRequestOpcode.name(opcode), alternative);
            }
        }
        unsupported(
                () -> pair.sendOps()
                        .post(SendRequest.of(1, SendFlags.FENCE).operation(WorkRequestOpcode.RDMA_READ), 0, 1, 0),
                "post a fenced RDMA_READ",
                "siw would end the connection: wait for the completions of the earlier reads, then post it without"
                        + " FENCE");
    }

    /// The kernel's `map_cqe_status` and `map_wc_opcode` (siw_cq.c).
    @Test
    void statusesAndOpcodesAreTheKernels() {
        int[] statuses = {0, 1, 4, 2, 5, 7, 8, 10, 9, 21};
        int[] opcodes = {1, 2, 2, 0, 0, 0, 4, 3, 128};
        for (int code = 0; code < 0xffff; code += code < 20 ? 1 : 7) {
            int status = code < statuses.length ? statuses[code] : 21;
            int number = code & 0xff;
            int opcode = number < opcodes.length ? opcodes[number] : 0x10000 | number;
            assertThat(converted(code, number)).as("code %d", code).containsExactly(status, opcode);
        }
    }

    private static int[] converted(int status, int opcode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(32 + 8, 4096);
            memory.set(JAVA_SHORT, 10, (short) status);
            memory.set(JAVA_BYTE, 9, (byte) opcode);
            memory.set(JAVA_BYTE, 8, (byte) 1);
            memory.set(JAVA_LONG, 16, 99);
            var completion = new Completion();
            assertThat(new FlaggedCompletionRing(memory, 1).next(completion)).isTrue();
            assertThat(completion.immediateDataOrKey()).as("without an invalidated key").isZero();
            return new int[]{completion.status(), completion.opcode()};
        }
    }
}

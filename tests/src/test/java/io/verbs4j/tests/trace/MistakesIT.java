// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.RemoteMemory;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.rxe.RxeProviderFactory;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tracing.Tracing;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Incorrect programs below the API, which would reject most of these mistakes. The kernel only returns an error
/// number; the trace explains the mistake.
@DeviceTest
@Needs.OneKernel
class MistakesIT {
    private static final QueuePairCapabilities SMALL = new QueuePairCapabilities(4, 4, 1, 1, 0);
    private static final int NO_OBJECT = 0x7fff;

    private final Traced traced = new Traced(true);
    private final Arena arena = Arena.ofShared();
    private ProviderContext context;
    private CommandChannel channel;

    @BeforeEach
    void open() {
        var provider = new RxeProviderFactory();
        var listener = Tracing.listener(Rxe.LEFT, provider.abi()).orElseThrow();
        channel = CommandChannel.open(
                listener.listen(Rxe.openFile()), null, 14, Rxe.LEFT, 2, QueryDevice.SPECIFICATION);
        context = provider.open(channel, listener.rings().orElseThrow());
    }

    @AfterEach
    void close() {
        traced.close();
        context.asyncEvents().close();
        channel.close();
        arena.close();
    }

    private void assertMistake(Runnable program, String... named) {
        assertThatThrownBy(program::run).isInstanceOf(VerbsException.class);
        assertThat(traced.lastFailure().explanation()).contains(named);
    }

    private int domain() {
        return AllocateProtectionDomain.execute(channel, DriverData.NONE);
    }

    private int completionQueue() {
        return createCompletionQueue(16, 0);
    }

    private int createCompletionQueue(int entries, int vector) {
        return CreateCompletionQueue.execute(
                channel,
                new CreateCompletionQueue.Request(entries, 0, null, vector, 0),
                DriverData.out(arena.allocate(16, 8)))
                .handle();
    }

    private int queuePair(QueuePairCapabilities capabilities) {
        int queue = completionQueue();
        return CreateQueuePair.execute(
                channel,
                new CreateQueuePair.Request(
                        domain(), queue, queue, null, 0, QueuePairType.RC, capabilities, false),
                DriverData.out(arena.allocate(32, 8)))
                .handle();
    }

    private void register(long address, long length, long iova, int access) {
        RegisterMemory.execute(channel, domain(), address, length, iova, access, DriverData.NONE);
    }

    private void register(int access) {
        long address = arena.allocate(4096, 4096).address();
        register(address, 4096, address, access);
    }

    private static QueuePairAttributes init() {
        return QueuePairAttributes.builder().state(QueuePairState.INIT).pkeyIndex(0).port(1).accessFlags(0).build();
    }

    private static QueuePairAttributes.Builder toReceive() {
        return QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePairNumber(17)
                .receivePsn(0)
                .maxDestinationReadAtomic(1)
                .minRnrTimer(12);
    }

    @Test
    void remoteWriteWithoutLocalWrite() {
        assertMistake(
                () -> register(Access.mask(Access.REMOTE_WRITE)),
                "access_flags: [REMOTE_WRITE] without LOCAL_WRITE");
    }

    @Test
    void regionWithoutBytes() {
        long address = arena.allocate(4096, 4096).address();
        assertMistake(() -> register(address, 0, address, 1), "length=0: a region needs at least one byte");
    }

    @Test
    void regionOfMemoryThatIsNotMapped() {
        assertMistake(() -> register(0x10000, 4096, 0x10000, 1), "0x10000 in the range", "not mapped in this process");
    }

    @Test
    void iovaAtAnotherOffsetInItsPage() {
        long address = arena.allocate(8192, 4096).address();
        assertMistake(() -> register(address, 4096, 0x10010, 1), "hca_va=0x10010 has another offset within its page");
    }

    @Test
    void rightsThatNobodyKnows() {
        assertMistake(() -> register(1 | 1 << 15), "access_flags: this driver or kernel does not support bits 0x8000");
    }

    @Test
    void regionInADomainThatDoesNotExist() {
        long address = arena.allocate(4096, 4096).address();
        assertMistake(
                () -> RegisterMemory.execute(channel, NO_OBJECT, address, 4096, address, 1, DriverData.NONE),
                "pd_handle=" + NO_OBJECT + ": this context has no pd with this handle");
    }

    @Test
    void addressHandleWithoutGid() {
        assertMistake(
                () -> CreateAddressHandle.execute(
                        channel,
                        domain(),
                        0,
                        AddressVector.roce(1, Rxe.IPV4_INDEX, Gid.ZERO),
                        DriverData.out(arena.allocate(8, 8))),
                "is_global=0: the path has no GID (no GRH)");
    }

    @Test
    void addressHandleFromAnEmptySlotOfTheGidTable() {
        assertMistake(
                () -> CreateAddressHandle.execute(
                        channel,
                        domain(),
                        0,
                        AddressVector.roce(1, 200, Rxe.gid(2)),
                        DriverData.out(arena.allocate(8, 8))),
                "sgid_index=200");
    }

    @Test
    @RealKernel("sysfs, which the explanation looks into")
    void addressHandleBetweenTwoFamilies() {
        assertMistake(
                () -> CreateAddressHandle.execute(
                        channel,
                        domain(),
                        0,
                        AddressVector.roce(1, Rxe.IPV4_INDEX, Gid.parse("fd00:0000:0000:0000:0000:0000:0000:0002")),
                        DriverData.out(arena.allocate(8, 8))),
                "is IPv4 and the destination GID",
                "both need the same IP family");
    }

    @Test
    void readyToReceiveWithoutPath() {
        int queuePair = queuePair(SMALL);
        ModifyQueuePair.execute(channel, queuePair, init());
        assertMistake(
                () -> ModifyQueuePair.execute(channel, queuePair, toReceive().build()),
                "RC INIT → RTR misses [ADDRESS_VECTOR]");
    }

    @Test
    void readyToReceiveByAPathWithoutGid() {
        int queuePair = queuePair(SMALL);
        ModifyQueuePair.execute(channel, queuePair, init());
        var attributes = toReceive().addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Gid.ZERO)).build();
        assertMistake(
                () -> ModifyQueuePair.execute(channel, queuePair, attributes),
                "RC INIT → RTR: is_global=0: the path has no GID (no GRH)");
    }

    @Test
    void readyToSendFromReset() {
        int queuePair = queuePair(SMALL);
        var attributes = QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(0).build();
        assertMistake(
                () -> ModifyQueuePair.execute(channel, queuePair, attributes),
                "RC RESET → RTS is no transition",
                "[RESET, INIT]");
    }

    @Test
    void attributeOfAnotherTransport() {
        int queuePair = queuePair(SMALL);
        var attributes = QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(0)
                .qkey(5)
                .build();
        assertMistake(
                () -> ModifyQueuePair.execute(channel, queuePair, attributes),
                "RC RESET → INIT does not allow [QKEY]");
    }

    @Test
    void moreReadsThanTheDeviceCan() {
        int queuePair = queuePair(SMALL);
        var path = AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(2));
        ModifyQueuePair.execute(channel, queuePair, init());
        ModifyQueuePair.execute(channel, queuePair, toReceive().addressVector(path).build());
        var attributes = QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(0)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(6)
                .maxReadAtomic(200)
                .build();
        assertMistake(
                () -> ModifyQueuePair.execute(channel, queuePair, attributes),
                "max_rd_atomic=200 exceeds the device's max_qp_init_rd_atom=128");
    }

    @Test
    void portThatDoesNotExist() {
        assertMistake(() -> QueryPort.execute(channel, 2), "port 2 does not exist; the device has ports 1 to 1");
    }

    @Test
    void emptySlotOfTheGidTable() {
        assertMistake(() -> QueryGidEntry.execute(channel, 1, 200), "slot 200 of the GID table is empty");
    }

    @Test
    void completionQueueThatIsTooLarge() {
        assertMistake(() -> createCompletionQueue(1 << 24, 0), "cqe=16777216 exceeds the device's max_cqe=");
    }

    @Test
    void completionVectorThatDoesNotExist() {
        assertMistake(() -> createCompletionQueue(16, 4096), "comp_vector=4096: the device has vectors 0 to ");
    }

    @Test
    void queuePairThatIsTooLarge() {
        assertMistake(
                () -> queuePair(new QueuePairCapabilities(1 << 24, 4, 1, 1, 0)),
                "max_send_wr=16777216 exceeds the device's max_qp_wr=");
    }

    @Test
    void queuePairWithTooMuchInlineData() {
        assertMistake(
                () -> queuePair(new QueuePairCapabilities(4, 4, 1, 1, 4096)),
                "max_inline_data=4096 probably exceeds the driver's limit");
    }

    @Test
    void domainInUse() {
        long address = arena.allocate(4096, 4096).address();
        int domain = domain();
        int region = RegisterMemory.execute(channel, domain, address, 4096, address, 1, DriverData.NONE).handle();
        assertMistake(
                () -> DeallocateProtectionDomain.execute(channel, domain),
                "pd#" + domain + " is in use by mr#" + region);
    }

    @Test
    void completionQueueInUse() {
        int queue = completionQueue();
        CreateQueuePair.execute(
                channel,
                new CreateQueuePair.Request(domain(), queue, queue, null, 0, QueuePairType.RC, SMALL, false),
                DriverData.out(arena.allocate(32, 8)));
        assertMistake(() -> DestroyCompletionQueue.execute(channel, queue), "cq#" + queue + " is in use by qp#");
    }

    @Test
    void notificationOfAQueueThatDoesNotExist() {
        assertMistake(
                () -> new RequestNotification(channel, NO_OBJECT).execute(false),
                "cq_handle=" + NO_OBJECT + ": this context has no cq with this handle");
    }

    @Test
    void doorbellBelowReadyToSend() {
        int queuePair = queuePair(SMALL);
        ModifyQueuePair.execute(channel, queuePair, init());
        assertThat(new PostSendDoorbell(queuePair, 56, arena).ring(channel.file())).isNegative();
        assertThat(traced.lastFailure().explanation()).contains("is in INIT: sends are executed in RTS only");
    }

    @Test
    void ringThatWasNeverOffered() {
        assertMistake(
                () -> channel.file().map(0x7fff_0000, 4096),
                "no command of this context was answered with the offset 0x7fff0000");
    }

    @Test
    void receiveThatIsTooSmall() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            pair.right().receive(7, 0, 10);
            pair.left().send(1, 0, 11);
            pair.left().completions().next();
            pair.right().completions().next();
            assertThat(traced.explanations())
                    .contains("wr_id 7 receive 10 bytes: the message was longer than these 10 bytes")
                    .contains("wr_id 1 SEND 11 bytes: the peer's receive has fewer than 11 bytes");
        }
    }

    @Test
    void localKeyOfNoRegion() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            var left = pair.left();
            int key = left.memory().localKey() ^ 0x5500;
            left.postReceives(batch -> batch.workRequestId(3).post(left.memory().address(), 64, key));
            assertThat(traced.explanations())
                    .contains("wr_id 3 receive 64 bytes: sge[0]: lkey=0x" + Integer.toHexString(key)
                            + " is not the key of a region of this context");
        }
    }

    @Test
    void bufferBeyondItsRegion() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            var left = pair.left();
            long end = left.memory().address() + left.memory().length() - 8;
            left.postReceives(batch -> batch.workRequestId(4).post(end, 64, left.memory().localKey()));
            assertThat(traced.explanations()).contains("wr_id 4 receive 64 bytes: sge[0]: 0x", "is not within mr#");
        }
    }

    @Test
    void wrongRemoteKey() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            var left = pair.left();
            var remote = pair.right().memory().remote();
            var wrong = new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() ^ 0x5500);
            left.post(batch -> batch.workRequestId(1).write().local(left.memory(), 0, 8).remote(wrong).post());
            assertThat(left.completions().next().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
            assertThat(traced.explanations())
                    .contains("REMOTE_ACCESS_ERROR: wr_id 1 RDMA_WRITE 8 bytes: the rkey is wrong");
        }
    }

    @Test
    void peerWithoutReceives() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .both(builder -> builder.timeout(10).retryCount(2).rnrRetry(2).minRnrTimer(1))
                        .connect()) {
            pair.left().send(1, 0, 8);
            pair.left().completions().next();
            assertThat(traced.explanations()).contains("wr_id 1 SEND 8 bytes: the peer posted no receive in time");
        }
    }
}

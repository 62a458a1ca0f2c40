// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.Recording;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.completion.CreateCompletionChannel;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.datagram.DestroyAddressHandle;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.DeallocateMemoryWindow;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.DeregisterMemory;
import io.verbs4j.abi.memory.QueryMemory;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.queuepair.QueryQueuePair;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests what a trace shows of every command, by each transport.
class TraceTest {
    private static final Gid PEER = Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0002");
    private static final QueuePairCapabilities CAPABILITIES = new QueuePairCapabilities(10, 11, 2, 3, 64);

    /// A driver that offers a ring for each completion queue, as rxe does.
    private static final CStruct MMINFO = CStruct.of(
            "driver.h", "mminfo", CStruct.u64("offset"), CStruct.u32("size"), CStruct.u32("pad"));
    private static final CStruct CREATE_CQ_RESP =
            CStruct.of("driver.h", "create_cq_resp", CStruct.struct("mi", MMINFO, "completion ring"));
    private static final CStruct REG_MR_REQUEST = CStruct.of("driver.h", "reg_mr", CStruct.u64("hint"));
    private static final DriverAbi DRIVER = new DriverAbi(
            "driver",
            List.of(MMINFO, CREATE_CQ_RESP, REG_MR_REQUEST),
            Map.of(RegisterMemory.SPECIFICATION, REG_MR_REQUEST),
            Map.of(CreateCompletionQueue.SPECIFICATION, CREATE_CQ_RESP),
            List.of(),
            Map.of());

    private static final Path RECORDED = Path.of("src/test/resources/io/verbs4j/tracing");

    private final Arena arena = Arena.ofConfined();
    private final KernelSide kernel = new KernelSide() {
        @Override
        public MemorySegment map(long offset, long length) {
            return arena.allocate(length);
        }
    };
    private final List<TraceEntry> entries = new ArrayList<>();

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    private DeviceFile traced() {
        Tracing.Session session = Tracing.start(entries::add, false);
        try {
            return Tracing.wrap(kernel, "fake0", DRIVER);
        } finally {
            session.close();
        }
    }

    private CommandChannel channel(Transport transport) {
        return CommandChannel.open(traced(), RdmaDriver.RXE, "fake0", 2, transport);
    }

    private TraceEntry last() {
        return entries.getLast();
    }

    /// Answers as a kernel that has made objects 5, 6, 7 …
    private void answerWithObjects() {
        kernel.answer(command -> {
            int handle = 4 + kernel.commands.size();
            fill(command.response);
            fill(command.driverOut);
            for (UverbsAttribute created : command.attributes.keySet()) {
                if (created.kind() == UverbsAttribute.Kind.NEW_HANDLE
                        || created.kind() == UverbsAttribute.Kind.NEW_FILE) {
                    command.created(created, handle);
                } else if (created.kind() == UverbsAttribute.Kind.OUT) {
                    fill(command.memory(created));
                }
            }
            if (command.attributes.containsKey(CreateQueuePair.CREATE_QP_RESP_QP_NUM)) {
                command.out(CreateQueuePair.CREATE_QP_RESP_QP_NUM, 0x11);
            }
            if (command.response.byteSize() >= Integer.BYTES) {
                command.response.set(ValueLayout.JAVA_INT_UNALIGNED, 0, handle);
            }
            if (command.name().endsWith("CREATE_QP") && command.response.byteSize() > 8) {
                command.response.set(ValueLayout.JAVA_INT_UNALIGNED, 4, 0x11);
            }
            if (command.driverOut.byteSize() == MMINFO.size()) {
                command.driverOut.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 0x1000L * handle);
            }
            return 0;
        });
    }

    /// Fills an answer with small numbers.
    private static void fill(MemorySegment answer) {
        for (int i = 0; i < answer.byteSize(); i += Integer.BYTES) {
            answer.set(ValueLayout.JAVA_BYTE, i, (byte) (1 + i / Integer.BYTES % 5));
        }
    }

    @Test
    void nothingIsWrappedWhileNothingTraces() {
        assertThat(Tracing.wrap(kernel, "fake0", DRIVER)).isSameAs(kernel);
    }

    @Test
    void onlyOneTraceRunsAtATime() {
        Tracing.Session session = Tracing.start(entries::add, false);
        try {
            assertThatThrownBy(() -> Tracing.start(entries::add, false))
                    .isInstanceOf(IllegalStateException.class);
        } finally {
            session.close();
        }
        Tracing.start(entries::add, false).close();
    }

    /// All commands that there are. None has bytes without a name, and each field has the recorded text.
    @ParameterizedTest
    @EnumSource
    void everyByteOfEveryCommandIsExplained(Transport transport) throws IOException {
        answerWithObjects();
        executeAll(channel(transport), transport);
        assertThat(entries).hasSizeGreaterThan(20).allSatisfy(entry -> {
            assertThat(entry.parts()).isNotEmpty();
            for (TracePart part : entry.parts()) {
                assertThat(part.unexplained()).as(entry.command() + " " + part.title()).isZero();
                assertThat(part.isExplained()).as(entry.command() + " " + part.title() + " " + part.fields()).isTrue();
            }
        });
        var lines = new ArrayList<String>();
        for (TraceEntry entry : entries) {
            lines.add(String.join(
                    " | ", entry.verb(), entry.command(), entry.transport(), entry.arguments(), entry.outcome(),
                    Long.toString(entry.result()), entry.explanation()));
            for (TracePart part : entry.parts()) {
                lines.add("    " + part.title() + " " + part.struct() + " " + part.direction() + " "
                        + part.bytes().length + ": " + part.fields()
                                .stream()
                                .filter(field -> !field.text().matches("0(x0)?") || field.value() != 0)
                                .map(field -> field.offset() + " " + field.path() + "=" + field.text())
                                .collect(Collectors.joining(", ")));
            }
        }
        lines.replaceAll(line -> line.replaceAll("(→ |response=)0x\\w+", "$1…"));
        Recording.compare(RECORDED.resolve("trace-" + transport.name().toLowerCase(Locale.ROOT) + ".txt"), lines);
    }

    private void executeAll(CommandChannel channel, Transport transport) {
        var ring = DriverData.out(arena.allocate(MMINFO.size(), 8));
        var hint = DriverData.in(arena.allocateFrom(ValueLayout.JAVA_LONG, 0x0102030405060708L));
        List<Callable<?>> commands = List.of(
                () -> GetContext.execute(channel, DriverData.NONE),
                () -> QueryDevice.execute(channel),
                () -> QueryPort.execute(channel, 1),
                () -> QueryGidTable.execute(channel, 16),
                () -> QueryGidEntry.execute(channel, 1, 1),
                () -> AllocateProtectionDomain.execute(channel, DriverData.NONE),
                () -> RegisterMemory.execute(channel, 5, 0x10000, 4096, 0x10000, 3, hint),
                () -> ReregisterMemory.execute(
                        channel, 6, new ReregisterMemory.Request(4, 0, 0, 0, 5, 1), DriverData.NONE),
                () -> QueryMemory.execute(channel, 6),
                () -> AllocateMemoryWindow.execute(channel, 5, 2, DriverData.NONE),
                () -> CreateAddressHandle.execute(channel, 5, 0, AddressVector.roce(1, 1, PEER), DriverData.NONE),
                () -> CreateCompletionChannel.execute(channel),
                () -> CreateCompletionQueue.execute(
                        channel, new CreateCompletionQueue.Request(10, 7, null, 0, 0), ring),
                () -> CreateCompletionQueue.execute(
                        channel, new CreateCompletionQueue.Request(10, 7, null, 0, 1), ring),
                () -> CreateQueuePair.execute(
                        channel,
                        new CreateQueuePair.Request(5, 6, 6, null, 9, QueuePairType.RC, CAPABILITIES, true),
                        DriverData.NONE),
                () -> QueryQueuePair.execute(channel, 7, 1));
        int failures = 0;
        for (Callable<?> command : commands) {
            try {
                command.call();
            } catch (Exception e) {
                failures++; // the zeros that this kernel answers are not always a value; the trace has them all the same
            }
        }
        assertThat(failures).isLessThan(commands.size() / 2);
        ModifyQueuePair.execute(channel, 7, toInit());
        new RequestNotification(channel, 6).execute(true);
        if (transport == Transport.NATIVE_IOCTL) {
            AdviseMemory.execute(channel, 5, 0, 0, new ScatterGatherList().add(0x1000, 16, 1).add(0x2000, 16, 1));
        }
        assertThat(new PostSendDoorbell(7, 56, arena).ring(channel.file())).isZero();
        DestroyQueuePair.execute(channel, 7);
        DestroyCompletionQueue.execute(channel, 6);
        DeregisterMemory.execute(channel, 6);
        DeallocateMemoryWindow.execute(channel, 6);
        DestroyAddressHandle.execute(channel, 6);
        DeallocateProtectionDomain.execute(channel, 5);
    }

    private static QueuePairAttributes toInit() {
        return QueuePairAttributes.builder().state(QueuePairState.INIT).pkeyIndex(0).port(1).accessFlags(0).build();
    }

    @ParameterizedTest
    @EnumSource
    void handlesBecomeNames(Transport transport) {
        answerWithObjects();
        CommandChannel channel = channel(transport);
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        assertThat(last().outcome()).startsWith("pd#" + domain);
        int queue = CreateCompletionQueue.execute(
                channel,
                new CreateCompletionQueue.Request(10, 7, null, 0, 0),
                DriverData.out(arena.allocate(MMINFO.size(), 8)))
                .handle();
        assertThat(last().outcome()).startsWith("cq#" + queue);
        int queuePair = CreateQueuePair.execute(
                channel,
                new CreateQueuePair.Request(
                        domain, queue, queue, null, 9, QueuePairType.RC, CAPABILITIES, false),
                DriverData.NONE)
                .handle();
        assertThat(last().outcome()).startsWith("qp#17");
        assertThat(last().arguments())
                .contains("pd_handle=pd#" + domain, "send_cq_handle=cq#" + queue, "recv_cq_handle=cq#" + queue);
        ModifyQueuePair.execute(channel, queuePair, toInit());
        assertThat(last().arguments()).contains("qp_handle=qp#17", "attr_mask=STATE|", "qp_state=INIT");
        DestroyQueuePair.execute(channel, queuePair);
        assertThat(last().arguments()).contains("handle=qp#17");
        ModifyQueuePair.execute(channel, queuePair, toInit());
        assertThat(last().arguments()).contains("qp_handle=qp handle " + queuePair + " (unknown)");
    }

    @Test
    void aRingIsMappedByTheNameOfItsObject() {
        answerWithObjects();
        CommandChannel channel = channel(Transport.NATIVE_IOCTL);
        int queue = CreateCompletionQueue.execute(
                channel,
                new CreateCompletionQueue.Request(10, 7, null, 0, 0),
                DriverData.out(arena.allocate(MMINFO.size(), 8)))
                .handle();
        channel.file().map(0x1000L * queue, 64);
        assertThat(last().kind()).isEqualTo(TraceEntry.Kind.MAP);
        assertThat(last().arguments()).contains("completion ring of cq#" + queue);
    }

    /// A work request must match the region as it is now.
    @Test
    void aRegionIsKnownAsItWasChanged() {
        answerWithObjects();
        var tracer = new Tracer(new Tracer.Trace(entries::add, true, _ -> {}), "fake0", DRIVER);
        var file = new TracingDeviceFile(kernel, tracer, WriteDecoder::new);
        var channel = CommandChannel.open(file, RdmaDriver.RXE, "fake0", 2, Transport.INVOKE_WRITE);
        int before = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        int after = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        var region = RegisterMemory.execute(channel, before, 0x10000, 4096, 0x10000, 0, DriverData.NONE);
        assertThat(tracer.checkBuffer(0x10000, 16, region.lkey(), true)).contains("lacks LOCAL_WRITE");
        int changes = ReregisterMemory.TRANSLATION | ReregisterMemory.PROTECTION_DOMAIN | ReregisterMemory.ACCESS;
        int lkey = ReregisterMemory.execute(
                channel,
                region.handle(),
                new ReregisterMemory.Request(changes, 0x20000, 8192, 0x20000, after, Access.LOCAL_WRITE.value()),
                DriverData.NONE)
                .lkey();
        assertThat(tracer.checkBuffer(0x20000, 8192, lkey, true)).isEmpty();
        assertThat(tracer.checkBuffer(0x10000, 16, lkey, false)).contains("is not within mr#" + region.handle());
        kernel.answer(command -> -Errno.EBUSY);
        for (int domain : new int[]{before, after}) {
            assertRefused(() -> DeallocateProtectionDomain.execute(channel, domain));
            assertThat(last().explanation().contains("is in use by mr#" + region.handle())).isEqualTo(domain == after);
        }
    }

    @Test
    void aRefusalIsExplainedByTheRequest() {
        kernel.answer(command -> -Errno.EINVAL);
        CommandChannel channel = channel(Transport.INVOKE_WRITE);
        assertRefused(() -> RegisterMemory.execute(channel, 0, 0x10000, 0, 0x10000, 1, DriverData.NONE));
        // Before all else: no such protection domain was ever made.
        assertThat(last().explanation()).contains("pd_handle=0: this context has no pd with this handle");
        assertThat(last().result()).isEqualTo(-Errno.EINVAL);
    }

    @Test
    void aTransitionIsExplainedByTheStateMachine() {
        answerWithObjects();
        CommandChannel channel = channel(Transport.INVOKE_WRITE);
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        int queue = CreateCompletionQueue.execute(
                channel, new CreateCompletionQueue.Request(10, 7, null, 0, 0), DriverData.NONE)
                .handle();
        int queuePair = CreateQueuePair.execute(
                channel,
                new CreateQueuePair.Request(
                        domain, queue, queue, null, 9, QueuePairType.RC, CAPABILITIES, false),
                DriverData.NONE)
                .handle();
        ModifyQueuePair.execute(channel, queuePair, toInit());
        kernel.answer(command -> -Errno.EINVAL);
        var withoutPath = QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePairNumber(1)
                .receivePsn(0)
                .maxDestinationReadAtomic(1)
                .minRnrTimer(12)
                .build();
        assertRefused(() -> ModifyQueuePair.execute(channel, queuePair, withoutPath));
        assertThat(last().explanation()).isEqualTo("qp#17: RC INIT → RTR misses [ADDRESS_VECTOR]");
        kernel.answer(command -> -Errno.EBUSY);
        assertRefused(() -> DestroyCompletionQueue.execute(channel, queue));
        assertThat(last().explanation()).startsWith("cq#" + queue + " is in use by qp#17");
    }

    private static void assertRefused(Runnable command) {
        assertThatThrownBy(command::run).isInstanceOf(VerbsException.class);
    }

    @Test
    void aCommandThatIsNotUnderstoodPassesAllTheSame() {
        kernel.hasIoctl = false;
        assertThat(traced().ioctl(arena.allocate(4, 8))).isEqualTo(-Errno.ENOTTY);
        assertThat(last().explanation()).startsWith("the trace cannot decode the command");
    }
}

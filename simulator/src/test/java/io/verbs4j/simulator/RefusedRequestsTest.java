// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.QueryMemory;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsQueryDeviceResp;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.simulator.rxe.Memory;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests that the library never sends, byte by byte. The simulated kernel refuses them as Linux does
/// (`ib_uverbs_write` and `verify_hdr`, uverbs_main.c; `ib_uverbs_cmd_verbs` and `uverbs_process_attr`,
/// uverbs_ioctl.c).
class RefusedRequestsTest {
    private static final int EXTENDED = 0x8000_0000;
    private static final int ALLOC_PD = AllocateProtectionDomain.WRITE.command();
    private static final int GET_CONTEXT = GetContext.WRITE.command();
    private static final int POST_SEND = PostSendDoorbell.WRITE.command();
    private static final int QUERY_DEVICE = QueryDevice.WRITE.command();
    private static final int ADVISE_MR = 2;
    private static final int QUERY_MR = 3;
    private static final int MANDATORY = 1;
    /// `UVERBS_OBJECT_MR`.
    private static final int MR = 7;

    private final Arena arena = Arena.ofShared();
    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(7);
    private final SimulatedHost host = network.addHost("host", KernelProfile.LINUX_7_2);
    private final DeviceFile file;

    RefusedRequestsTest() {
        host.addDevice("rxe0");
        file = host.open(host.devices().getFirst().node());
    }

    @AfterEach
    void close() {
        network.close();
        arena.close();
    }

    private long room(long bytes) {
        return arena.allocate(bytes, 8).address();
    }

    /// Writes a command: `struct ib_uverbs_cmd_hdr`, followed by 64-bit words.
    private int write(int command, int inWords, int outWords, long... request) {
        MemorySegment bytes = arena.allocate(8 + 8L * request.length, 8);
        bytes.set(ValueLayout.JAVA_INT, 0, command);
        bytes.set(ValueLayout.JAVA_SHORT, 4, (short) inWords);
        bytes.set(ValueLayout.JAVA_SHORT, 6, (short) outWords);
        MemorySegment.copy(request, 0, bytes, ValueLayout.JAVA_LONG, 8, request.length);
        return file.write(bytes);
    }

    private void makeContext() {
        assertThat(write(GET_CONTEXT, 4, 2, room(8))).isEqualTo(16);
    }

    @Test
    void aFileHasOneContext() {
        assertThat(write(ALLOC_PD, 4, 1, room(4))).as("no context yet").isEqualTo(-Errno.EINVAL);
        makeContext();
        assertThat(write(GET_CONTEXT, 4, 2, room(8))).isEqualTo(-Errno.EINVAL);
        assertThat(write(ALLOC_PD, 4, 1, room(4))).isEqualTo(16);
        assertThat(file.await(0)).isEqualTo(-Errno.EOPNOTSUPP);
        assertThatThrownBy(() -> file.map(1 << 30, 4096)).isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThatThrownBy(() -> file.eventFile(99)).isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        file.close();
        assertThat(write(ALLOC_PD, 4, 1, room(4))).isEqualTo(-Errno.EBADF);
        assertThat(query(24, MR, QUERY_MR, RdmaDriver.RXE, 0)).isEqualTo(-Errno.EBADF);
        assertThat(file.await(0)).isEqualTo(-Errno.EBADF);
        assertThatThrownBy(() -> file.map(1 << 30, 4096)).isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }

    @Test
    void lengthsOfWrittenCommandsMustAgree() {
        makeContext();
        assertThat(file.write(arena.allocate(7))).isEqualTo(-Errno.EINVAL);
        assertThat(write(ALLOC_PD, 3, 1, room(4))).isEqualTo(-Errno.EINVAL);
        assertThat(write(ALLOC_PD, 5, 1, room(4))).isEqualTo(-Errno.EINVAL);
        assertThat(write(ALLOC_PD, 4, 0, room(4))).as("no room for the response").isEqualTo(-Errno.ENOSPC);
        assertThat(write(ALLOC_PD, 2, 1)).as("no request").isEqualTo(-Errno.ENOSPC);
        assertThat(write(60, 2, 0)).as("unknown").isEqualTo(-Errno.EOPNOTSUPP);
    }

    @Test
    void extendedCommandsCountCoreAndDriverApart() {
        makeContext();
        int query = EXTENDED | QUERY_DEVICE;
        long answer = room(400);
        assertThat(write(query, 1, 40, answer, 0, 0)).isEqualTo(32);
        assertThat(write(query, 1, 40, answer)).as("half a head").isEqualTo(-Errno.EINVAL);
        assertThat(write(query, 2, 40, answer, 0, 0)).isEqualTo(-Errno.EINVAL);
        assertThat(write(query, 1, 40, answer, 1, 0)).as("a word of the driver").isEqualTo(-Errno.EINVAL);
        assertThat(write(query, 1, 40, answer, 0, 1)).as("comp_mask").isEqualTo(-Errno.EINVAL);
        assertThat(write(query, 1, 40, answer, 0, 1L << 32)).as("reserved").isEqualTo(-Errno.EINVAL);
        assertThat(write(query, 0, 40, answer, 0)).as("no request").isEqualTo(-Errno.ENOSPC);
    }

    @Test
    void theOlderQueryHasTheSameAnswer() {
        makeContext();
        MemorySegment old = arena.allocate(IbUverbsQueryDeviceResp.STRUCT.size(), 8);
        MemorySegment extended = arena.allocate(400, 8);
        assertThat(write(QUERY_DEVICE, 4, (int) old.byteSize() / 4, old.address())).isEqualTo(16);
        assertThat(write(EXTENDED | QUERY_DEVICE, 1, 40, extended.address(), 0, 0)).isEqualTo(32);
        CView view = IbUverbsQueryDeviceResp.STRUCT.view(old);
        assertThat(view.get("node_guid")).isEqualTo(host.devices().getFirst().nodeGuid());
        assertThat(old.mismatch(extended.asSlice(0, old.byteSize()))).isEqualTo(-1);
    }

    /// The work request of a doorbell has at least `sizeof(struct ib_uverbs_send_wr)` (`ib_uverbs_post_send`).
    @Test
    void doorbellsAreCheckedLikeOtherCommands() {
        makeContext();
        long answer = room(4);
        long size = 56L << 32;
        assertThat(write(POST_SEND, 7, 1, answer, 1, size)).isEqualTo(-Errno.EINVAL);
        assertThat(write(POST_SEND, 8, 0, answer, 1, size)).isEqualTo(-Errno.ENOSPC);
        assertThat(write(POST_SEND, 8, 1, answer, 1, 55L << 32)).isEqualTo(-Errno.EINVAL);
        assertThat(write(POST_SEND, 8, 1, answer, 99, size)).as("no such queue pair").isNegative();
    }

    /// Sends `struct ib_uverbs_ioctl_hdr`, followed by attributes of two words each.
    private int query(int length, int object, int method, int driver, int reserved, long... attributes) {
        MemorySegment bytes = arena.allocate(24 + 8L * attributes.length, 8);
        bytes.set(ValueLayout.JAVA_SHORT, 0, (short) length);
        bytes.set(ValueLayout.JAVA_SHORT, 2, (short) object);
        bytes.set(ValueLayout.JAVA_SHORT, 4, (short) method);
        bytes.set(ValueLayout.JAVA_SHORT, 6, (short) (attributes.length / 2));
        bytes.set(ValueLayout.JAVA_LONG, 8, reserved);
        bytes.set(ValueLayout.JAVA_INT, 16, driver);
        MemorySegment.copy(attributes, 0, bytes, ValueLayout.JAVA_LONG, 24, attributes.length);
        return file.ioctl(bytes);
    }

    private static long attribute(int id, int length, int flags) {
        return id | (long) length << 16 | (long) flags << 32;
    }

    @Test
    void attributesAreChecked() {
        CommandChannel channel = CommandChannel.open(file, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
        GetContext.execute(channel, DriverData.NONE);
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        MemorySegment memory = arena.allocate(4096, 4096);
        var region = RegisterMemory.execute(channel, domain, memory.address(), 4096, 0x7000_0000L, 0, DriverData.NONE);
        QueryMemory.Response queried = QueryMemory.execute(channel, region.handle());
        assertThat(queried).isEqualTo(
                new QueryMemory.Response(region.lkey(), region.rkey(), 4096, 0x7000_0000L));
        long handle = attribute(0, 0, MANDATORY);
        long key = attribute(1, 4, MANDATORY);
        int number = region.handle();
        int rxe = RdmaDriver.RXE;
        assertThat(query(56, MR, QUERY_MR, rxe, 0, handle, number, key, room(4))).isZero();
        assertThat(query(48, MR, QUERY_MR, rxe, 0, handle, number, key, room(4))).isEqualTo(-Errno.EINVAL);
        assertThat(query(56, MR, QUERY_MR, rxe, 1, handle, number, key, room(4))).isEqualTo(-Errno.EPROTONOSUPPORT);
        assertThat(query(56, MR, QUERY_MR, rxe + 1, 0, handle, number, key, room(4))).isEqualTo(-Errno.EINVAL);
        assertThat(query(56, MR, 99, rxe, 0, handle, number, key, room(4))).isEqualTo(-Errno.EPROTONOSUPPORT);
        assertThat(query(40, MR, QUERY_MR, rxe, 0, key, room(4))).as("no handle").isEqualTo(-Errno.EINVAL);
        assertThat(query(40, MR, QUERY_MR, rxe, 0, attribute(0, 4, MANDATORY), number)).isEqualTo(-Errno.EINVAL);
        assertThat(query(56, MR, QUERY_MR, rxe, 0, handle, number, handle, number)).as("twice")
                .isEqualTo(-Errno.EINVAL);
        assertThat(query(56, MR, QUERY_MR, rxe, 0, handle, number, attribute(1, 8, MANDATORY), room(8)))
                .isEqualTo(-Errno.EINVAL);
        assertThat(query(56, MR, QUERY_MR, rxe, 0, handle, number, attribute(3, 4, MANDATORY), room(8)))
                .isEqualTo(-Errno.EINVAL);
        assertThat(query(56, MR, QUERY_MR, rxe, 0, handle, number, attribute(99, 0, MANDATORY), 0))
                .isEqualTo(-Errno.EPROTONOSUPPORT);
        assertThat(query(56, MR, QUERY_MR, rxe, 0, handle, number, attribute(99, 0, 0), 0)).as("optional").isZero();
    }

    /// `uverbs_attr_ptr_get_array_size`, uverbs_ioctl.h.
    @Test
    void listsHaveWholeElements() {
        CommandChannel channel = CommandChannel.open(file, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
        GetContext.execute(channel, DriverData.NONE);
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        for (int length : new int[]{0, 15, 16, 17, 32}) {
            int result = query(88, MR, ADVISE_MR, RdmaDriver.RXE, 0, attribute(0, 0, MANDATORY), domain,
                    attribute(1, 8, MANDATORY), AdviseMemory.PREFETCH, attribute(2, 4, MANDATORY), 0,
                    attribute(3, length, MANDATORY), room(40));
            assertThat(result).as("%d bytes", length).isEqualTo(length == 16 || length == 32 ? 0 : -Errno.EINVAL);
        }
    }

    /// Behind the known fields of a longer struct are zeros (`uverbs_process_attr`, uverbs_ioctl.c).
    @ParameterizedTest
    @CsvSource({"19, 0, EINVAL", "20, 1, -", "24, 0, -", "24, 1, EOPNOTSUPP"})
    void aLongerStructHasZerosBehindTheKnownFields(int length, int behind, String errno) {
        MemorySegment longer = arena.allocate(32, 8);
        DeviceFile altering = FileCalls.of(file, call -> {
            if (call.name().equals("ioctl")) {
                IoctlEnvelope.of(call.memory()).argument(CreateQueuePair.CREATE_QP_CAP).ifPresent(argument -> {
                    longer.copyFrom(Memory.at(argument.data(), argument.length()));
                    longer.set(ValueLayout.JAVA_BYTE, 20, (byte) behind);
                    call.memory().set(ValueLayout.JAVA_SHORT_UNALIGNED, argument.offset() + 2L, (short) length);
                    call.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, argument.offset() + 8L, longer.address());
                });
            }
            return call.pass();
        });
        CommandChannel channel = CommandChannel.open(altering, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
        GetContext.execute(channel, DriverData.NONE);
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        int queue = CreateCompletionQueue.execute(channel, new CreateCompletionQueue.Request(8, 0, null, 0, 0),
                DriverData.out(arena.allocate(16, 8))).handle();
        var request = new CreateQueuePair.Request(domain, queue, queue, null, 3, QueuePairType.RC,
                new QueuePairCapabilities(1, 1, 1, 1, 0), false);
        refused(errno, () -> CreateQueuePair.execute(channel, request, DriverData.out(arena.allocate(32, 8))));
    }

    private static void refused(String errno, Runnable command) {
        assertThat(CommandResult.errno(command)).isEqualTo(errno);
    }

    /// `ib_uverbs_alloc_mw`, `ib_uverbs_rereg_mr` and `ib_uverbs_create_ah`, uverbs_cmd.c; `rxe_create_cq` and
    /// `rxe_rereg_user_mr`, rxe_verbs.c; `rdma_is_port_valid` and `rdma_get_gid_attr`.
    @Test
    void valuesOutOfTheirRangeAreRefused() {
        CommandChannel channel = CommandChannel.open(file, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
        int vectors = GetContext.execute(channel, DriverData.NONE).completionVectors();
        int domain = AllocateProtectionDomain.execute(channel, DriverData.NONE);
        for (int type : new int[]{0, 3}) {
            refused("EINVAL", () -> AllocateMemoryWindow.execute(channel, domain, type, DriverData.NONE));
        }
        MemorySegment memory = arena.allocate(4096, 4096);
        int region = RegisterMemory.execute(channel, domain, memory.address(), 4096, 0, 0, DriverData.NONE).handle();
        refused("EINVAL", () -> reregister(channel, region, domain, 0));
        refused("EOPNOTSUPP", () -> reregister(channel, region, domain, 1));
        refused("EOPNOTSUPP", () -> reregister(channel, region, domain, 8 | 2));
        refused("EACCES", () -> reregister(channel, region, domain, 2 | 4));
        refused(CommandResult.ACCEPTED, () -> reregister(channel, region, domain, 2));
        refused("EINVAL", () -> RegisterMemory.execute(channel, domain, -4096, 8192, 0, 0, DriverData.NONE));
        refused("EINVAL",
                () -> RegisterMemory.execute(channel, domain, memory.address(), 4096, 1, 0, DriverData.NONE));
        refused(CommandResult.ACCEPTED, () -> createQueue(channel, vectors - 1, 0));
        refused("EINVAL", () -> createQueue(channel, vectors, 0));
        refused("EINVAL", () -> createQueue(channel, -1, 0));
        refused("EOPNOTSUPP", () -> createQueue(channel, 0, 1));
        Gid peer = new Gid(0, 0xffff_0a09_0001L);
        refused(CommandResult.ACCEPTED, () -> createHandle(channel, domain, 1, 1, peer));
        refused("EINVAL", () -> createHandle(channel, domain, 2, 1, peer));
        refused("ENODATA", () -> createHandle(channel, domain, 1, 255, peer));
        refused("EINVAL", () -> createHandle(channel, domain, 1, 0, peer));
        refused("EINVAL", () -> QueryGidEntry.execute(channel, 2, 0));
        refused("EINVAL", () -> QueryGidEntry.execute(channel, 1, 1024));
        refused("ENODATA", () -> QueryGidEntry.execute(channel, 1, 1023));
    }

    private static void reregister(CommandChannel channel, int region, int domain, int flags) {
        ReregisterMemory.execute(channel, region, new ReregisterMemory.Request(flags, 0, 4096, 0, domain, 1),
                DriverData.NONE);
    }

    private void createQueue(CommandChannel channel, int vector, int flags) {
        CreateCompletionQueue.execute(
                channel,
                new CreateCompletionQueue.Request(8, 0, null, vector, flags),
                DriverData.out(arena.allocate(16, 8)));
    }

    private static void createHandle(CommandChannel channel, int domain, int port, int index, Gid peer) {
        CreateAddressHandle.execute(channel, domain, 0, AddressVector.roce(port, index, peer), DriverData.NONE);
    }

    /// A wait in virtual time takes no real time.
    @Test
    void waitsAdvanceVirtualTime() {
        CommandChannel channel = CommandChannel.open(file, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
        EventFile waited = GetContext.execute(channel, DriverData.NONE).asyncEvents();
        Duration before = network.now();
        assertThat(waited.await(0)).isZero();
        assertThat(network.now()).isEqualTo(before);
        assertThat(waited.await(Duration.ofHours(1).toNanos())).isZero();
        assertThat(network.now().minus(before)).isEqualTo(Duration.ofHours(1));
        assertThat(waited.read(arena.allocate(16, 8))).isEqualTo(-Errno.EAGAIN);
        waited.close();
        assertThat(waited.await(1)).isEqualTo(-Errno.EBADF);
        assertThat(waited.read(arena.allocate(16, 8))).isEqualTo(-Errno.EBADF);
    }
}

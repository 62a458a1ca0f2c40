// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The envelopes that a file receives, byte by byte.
class IoctlCommandTest {
    private static final int DRIVER = 14;

    private final Arena arena = Arena.ofConfined();
    private final RecordingFile file = new RecordingFile();

    /// Records its input, and returns prepared results.
    private static final class RecordingFile extends KernelSide {
        final List<byte[]> ioctls = new ArrayList<>();
        final List<byte[]> writes = new ArrayList<>();
        int result;

        @Override
        public int ioctl(MemorySegment command) {
            ioctls.add(command.toArray(ValueLayout.JAVA_BYTE));
            return result;
        }

        @Override
        public int write(MemorySegment command) {
            writes.add(command.toArray(ValueLayout.JAVA_BYTE));
            return result < 0 ? result : (int) command.byteSize();
        }
    }

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    private CommandChannel channel(Transport transport) {
        return CommandChannel.open(file, DRIVER, "rxe0", 2, transport);
    }

    private static ByteBuffer bytes(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void putHead(ByteBuffer buffer, int object, int method, int attributes) {
        buffer.putShort((short) buffer.capacity())
                .putShort((short) object)
                .putShort((short) method)
                .putShort((short) attributes)
                .putLong(0)
                .putInt(DRIVER)
                .putInt(0);
    }

    private static void putAttribute(ByteBuffer buffer, int id, int length, long data) {
        buffer.putShort((short) id).putShort((short) length).putShort((short) 1).putShort((short) 0).putLong(data);
    }

    @Test
    void anIoctlHasAHeadAndAnAttributeForEachArgument() {
        MemorySegment payload = arena.allocate(20);
        MemorySegment room = arena.allocate(4);
        int result = IoctlCommand.of(arena, CreateQueuePair.METHOD)
                .newHandle(CreateQueuePair.CREATE_QP_HANDLE)
                .handle(CreateQueuePair.CREATE_QP_PD_HANDLE, 0xfffffffe)
                .in64(CreateQueuePair.CREATE_QP_USER_HANDLE, -3)
                .in(CreateQueuePair.CREATE_QP_CAP, payload)
                .constant(CreateQueuePair.CREATE_QP_TYPE, 2)
                .in32(CreateQueuePair.CREATE_QP_FLAGS, -2)
                .fd(CreateQueuePair.CREATE_QP_EVENT_FD, 9)
                .out(CreateQueuePair.CREATE_QP_RESP_QP_NUM, room)
                .execute(channel(Transport.NATIVE_IOCTL));
        ByteBuffer expected = bytes(24 + 8 * 16);
        putHead(expected, 4, 0, 8);
        putAttribute(expected, 0, 0, 0);
        putAttribute(expected, 2, 0, 0xfffffffeL);
        putAttribute(expected, 7, 8, -3);
        putAttribute(expected, 8, 20, payload.address());
        putAttribute(expected, 9, 8, 2);
        putAttribute(expected, 10, 4, 0xfffffffeL);
        putAttribute(expected, 12, 0, 9);
        putAttribute(expected, 14, 4, room.address());
        assertThat(result).isZero();
        assertThat(file.ioctls).containsExactly(expected.array());
    }

    @Test
    void aPayloadOfUpTo8BytesTravelsInTheAttribute() {
        MemorySegment four = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 2, (byte) 3, (byte) 0xff);
        MemorySegment eight = arena.allocateFrom(ValueLayout.JAVA_LONG, 0x8877665544332211L);
        MemorySegment nine = arena.allocate(9);
        IoctlCommand.of(arena, 1, 2)
                .in(InvokeWrite.CORE_IN, four)
                .in(UverbsAttribute.UHW_IN, eight)
                .in(InvokeWrite.CORE_OUT, nine)
                .execute(channel(Transport.NATIVE_IOCTL));
        ByteBuffer expected = bytes(24 + 3 * 16);
        putHead(expected, 1, 2, 3);
        putAttribute(expected, 0, 4, 0xff030201L);
        putAttribute(expected, 0x1000, 8, 0x8877665544332211L);
        putAttribute(expected, 1, 9, nine.address());
        assertThat(file.ioctls).containsExactly(expected.array());
    }

    @Test
    void anOptionalArgumentIsNotMandatory() {
        MemorySegment room = arena.allocate(8);
        IoctlCommand command = IoctlCommand.of(arena, GetContext.METHOD)
                .out(GetContext.GET_CONTEXT_CORE_SUPPORT, room)
                .optional();
        command.execute(channel(Transport.NATIVE_IOCTL));
        assertThat(file.ioctls.getFirst()[24 + 4]).isZero();
        assertThat(command.isWritten(GetContext.GET_CONTEXT_CORE_SUPPORT)).isFalse();
    }

    @Test
    void emptyDriverDataIsLeftOut() {
        IoctlCommand.of(arena, DeallocateProtectionDomain.METHOD)
                .driver(DriverData.NONE)
                .execute(channel(Transport.NATIVE_IOCTL));
        assertThat(file.ioctls.getFirst()).hasSize(24);
    }

    @Test
    void heapMemoryCannotBeAnArgument() {
        IoctlCommand command = IoctlCommand.of(arena, CreateQueuePair.METHOD);
        MemorySegment heap = MemorySegment.ofArray(new byte[20]);
        assertThatThrownBy(() -> command.in(CreateQueuePair.CREATE_QP_CAP, heap))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CREATE_QP_CAP");
        assertThatThrownBy(() -> command.out(CreateQueuePair.CREATE_QP_RESP_CAP, heap))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anArgumentOfMoreThan65535BytesIsRefused() {
        IoctlCommand command = IoctlCommand.of(arena, QueryGidTable.METHOD);
        MemorySegment room = arena.allocate(65536);
        assertThatThrownBy(() -> command.out(QueryGidTable.QUERY_GID_TABLE_RESP_ENTRIES, room))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("size=65536");
    }

    @Test
    void tooManyArgumentsAreRefused() {
        IoctlCommand command = IoctlCommand.of(arena, CreateQueuePair.METHOD);
        for (int i = 0; i < 24; i++) {
            command.in32(CreateQueuePair.CREATE_QP_FLAGS, i);
        }
        assertThatThrownBy(() -> command.in32(CreateQueuePair.CREATE_QP_FLAGS, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anArgumentThatTheCommandDoesNotHaveCannotBeRead() {
        IoctlCommand command = IoctlCommand.of(arena, CreateQueuePair.METHOD);
        assertThatThrownBy(() -> command.created(CreateQueuePair.CREATE_QP_HANDLE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNativeMethodIsNotSentOnOtherTransports() {
        for (Transport transport : new Transport[]{Transport.INVOKE_WRITE, Transport.WRITE}) {
            int result = IoctlCommand.of(arena, DeallocateProtectionDomain.METHOD).execute(channel(transport));
            assertThat(IoctlCommand.isMissing(result)).isTrue();
        }
        assertThat(file.ioctls).isEmpty();
    }

    @Test
    void onlyTheFrameworksErrorsMeanThatAMethodIsMissing() {
        assertThat(IoctlCommand.isMissing(-Errno.EPROTONOSUPPORT)).isTrue();
        assertThat(IoctlCommand.isMissing(-Errno.ENOTTY)).isTrue();
        assertThat(IoctlCommand.isMissing(-Errno.EOPNOTSUPP)).isFalse();
        assertThat(IoctlCommand.isMissing(-Errno.EINVAL)).isFalse();
        assertThat(IoctlCommand.isMissing(0)).isFalse();
    }

    @Test
    void aWriteCommandInsideAnIoctlHasItsStructsAsArguments() {
        WriteCommand command =
                WriteCommand.of(arena, AllocateProtectionDomain.SPECIFICATION, AllocateProtectionDomain.WRITE);
        command.execute(channel(Transport.INVOKE_WRITE));
        ByteBuffer expected = bytes(24 + 3 * 16);
        putHead(expected, 0, 0, 3);
        putAttribute(expected, 2, 8, 3);
        putAttribute(expected, 0, 8, 0);
        putAttribute(expected, 1, 4, command.response().memory().address());
        assertThat(file.ioctls).containsExactly(expected.array());
        assertThat(file.writes).isEmpty();
    }

    @Test
    void anExtendedWriteCommandInsideAnIoctlHasBit31() {
        MemorySegment driver = arena.allocate(24);
        WriteCommand command = WriteCommand.of(arena, QueryDevice.SPECIFICATION, QueryDevice.EXTENDED_WRITE)
                .driver(DriverData.out(driver));
        command.execute(channel(Transport.NATIVE_IOCTL));
        ByteBuffer expected = bytes(24 + 4 * 16);
        putHead(expected, 0, 0, 4);
        putAttribute(expected, 2, 8, 0x8000_0001L);
        putAttribute(expected, 0, 8, 0);
        putAttribute(expected, 1, 304, command.response().memory().address());
        putAttribute(expected, 0x1001, 24, driver.address());
        assertThat(file.ioctls).containsExactly(expected.array());
    }

    @Test
    void aPlainWriteCountsEverythingInWordsOf4() {
        MemorySegment driverOut = arena.allocate(8);
        WriteCommand.of(arena, AllocateProtectionDomain.SPECIFICATION, AllocateProtectionDomain.WRITE)
                .driver(new DriverData(arena.allocateFrom(ValueLayout.JAVA_INT, 0x11223344), driverOut))
                .execute(channel(Transport.WRITE));
        ByteBuffer written = ByteBuffer.wrap(file.writes.getFirst()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(written.capacity()).isEqualTo(8 + 8 + 4);
        assertThat(written.getInt(0)).isEqualTo(3);
        assertThat(written.getShort(4)).isEqualTo((short) 5);
        assertThat(written.getShort(6)).isEqualTo((short) 3);
        assertThat(written.getLong(8)).as("address of the answer").isNotZero();
        assertThat(written.getInt(16)).isEqualTo(0x11223344);
        assertThat(file.ioctls).isEmpty();
    }

    @Test
    void aPlainWriteWithoutAnAnswerHasNoAddressInIt() {
        int result = WriteCommand.of(arena, DeallocateProtectionDomain.SPECIFICATION, DeallocateProtectionDomain.WRITE)
                .set("pd_handle", 0x55)
                .execute(channel(Transport.WRITE));
        ByteBuffer expected = bytes(12);
        expected.putInt(4).putShort((short) 3).putShort((short) 0).putInt(0x55);
        assertThat(result).isZero();
        assertThat(file.writes).containsExactly(expected.array());
    }

    @Test
    void anExtendedWriteCountsCoreAndDriverApartInWordsOf8() {
        MemorySegment driverOut = arena.allocate(16);
        WriteCommand.of(arena, QueryDevice.SPECIFICATION, QueryDevice.EXTENDED_WRITE)
                .driver(new DriverData(arena.allocateFrom(ValueLayout.JAVA_LONG, 7, 8, 9), driverOut))
                .execute(channel(Transport.WRITE));
        ByteBuffer written = ByteBuffer.wrap(file.writes.getFirst()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(written.capacity()).isEqualTo(8 + 16 + 8 + 24);
        assertThat(written.getInt(0)).isEqualTo(0x8000_0001);
        assertThat(written.getShort(4)).isEqualTo((short) 1);
        assertThat(written.getShort(6)).isEqualTo((short) 38);
        assertThat(written.getLong(8)).as("address of the answer").isNotZero();
        assertThat(written.getShort(16)).isEqualTo((short) 3);
        assertThat(written.getShort(18)).isEqualTo((short) 2);
        assertThat(written.getInt(20)).isZero();
        assertThat(written.getLong(24)).isZero();
        assertThat(written.getLong(32)).isEqualTo(7);
        assertThat(written.getLong(48)).isEqualTo(9);
    }

    @Test
    void aFailedWriteGivesTheErrorAndLeavesTheRoomsAsTheyWere() {
        file.result = -Errno.EBUSY;
        MemorySegment driverOut = arena.allocate(8).fill((byte) 0x33);
        WriteCommand command =
                WriteCommand.of(arena, AllocateProtectionDomain.SPECIFICATION, AllocateProtectionDomain.WRITE)
                        .driver(DriverData.out(driverOut));
        assertThat(command.execute(channel(Transport.WRITE))).isEqualTo(-Errno.EBUSY);
        assertThat(driverOut.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x33);
        assertThat(command.response().getInt("pd_handle")).isZero();
    }

    @Test
    void whatTheDriverDoesNotWriteStaysAsItWas() {
        MemorySegment driverOut = arena.allocate(8).fill((byte) 0x33);
        WriteCommand.of(arena, AllocateProtectionDomain.SPECIFICATION, AllocateProtectionDomain.WRITE)
                .driver(DriverData.out(driverOut))
                .execute(channel(Transport.WRITE));
        assertThat(driverOut.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x33);
    }

    @Test
    void driverDataOfAnOddLengthCannotBeWritten() {
        WriteCommand command =
                WriteCommand.of(arena, AllocateProtectionDomain.SPECIFICATION, AllocateProtectionDomain.WRITE)
                        .driver(DriverData.in(arena.allocate(6)));
        assertThatThrownBy(() -> command.execute(channel(Transport.WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("length=");
    }

    @Test
    void aCommandWithoutAnAnswerHasNone() {
        WriteCommand command =
                WriteCommand.of(arena, DeallocateProtectionDomain.SPECIFICATION, DeallocateProtectionDomain.WRITE);
        assertThatThrownBy(command::response)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("IB_USER_VERBS_CMD_DEALLOC_PD");
    }

    @Test
    void theDoorbellIsAWriteOf32Bytes() {
        var doorbell = new PostSendDoorbell(0x1234, 56, Arena.ofAuto());
        assertThat(doorbell.ring(file)).isZero();
        ByteBuffer written = ByteBuffer.wrap(file.writes.getFirst()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(written.capacity()).isEqualTo(32);
        assertThat(written.getInt(0)).isEqualTo(28);
        assertThat(written.getShort(4)).isEqualTo((short) 8);
        assertThat(written.getShort(6)).isEqualTo((short) 1);
        assertThat(written.getLong(8)).as("address of the answer").isNotZero();
        assertThat(written.getInt(16)).isEqualTo(0x1234);
        assertThat(written.getInt(20)).isZero();
        assertThat(written.getInt(24)).isZero();
        assertThat(written.getInt(28)).isEqualTo(56);
        file.result = -Errno.EINVAL;
        assertThat(doorbell.ring(file)).isEqualTo(-Errno.EINVAL);
    }
}

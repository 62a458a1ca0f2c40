// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Reads commands whose bytes are placed by the kernel's structs, with values that no other field has.
class IoctlEnvelopeTest {
    private static final int HEAD = 24;
    private static final int ARGUMENT = 16;

    private static byte[] command(int length, int object, int method, int count, long reserved1, int driver,
            int reserved2) {
        return ByteBuffer.allocate(HEAD)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) length)
                .putShort((short) object)
                .putShort((short) method)
                .putShort((short) count)
                .putLong(reserved1)
                .putInt(driver)
                .putInt(reserved2)
                .array();
    }

    private static byte[] argument(int id, int length, int flags, int reserved, long data) {
        return ByteBuffer.allocate(ARGUMENT)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) id)
                .putShort((short) length)
                .putShort((short) flags)
                .putShort((short) reserved)
                .putLong(data)
                .array();
    }

    private static IoctlEnvelope envelope(byte[]... parts) {
        var all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
        Arrays.stream(parts).forEach(all::put);
        return IoctlEnvelope.of(MemorySegment.ofArray(all.array()));
    }

    @Test
    void headHasItsFieldsWhereTheKernelHasThem() {
        IoctlEnvelope read = envelope(command(HEAD, 0xfff1, 0xfff2, 0, 0, 0xf0000003, 0));
        assertThat(read.length()).isEqualTo(HEAD);
        assertThat(read.objectId()).isEqualTo(0xfff1);
        assertThat(read.methodId()).isEqualTo(0xfff2);
        assertThat(read.driverId()).isEqualTo(0xf0000003);
        assertThat(read.method()).isEmpty();
        assertThat(read.arguments()).isEmpty();
    }

    @Test
    void methodIsThatOfTheCatalogue() {
        int queuePair = 4; // UVERBS_OBJECT_QP, and its second method
        assertThat(envelope(command(HEAD, queuePair, 1, 0, 0, 0, 0)).method())
                .map(UverbsMethod::cName)
                .contains("UVERBS_METHOD_QP_DESTROY");
    }

    @Test
    void reservedFieldsMustBe0() {
        assertThat(envelope(command(HEAD, 1, 1, 0, 0, 1, 0)).hasCleanHead()).isTrue();
        assertThat(envelope(command(HEAD, 1, 1, 0, 1L << 40, 1, 0)).hasCleanHead()).isFalse();
        assertThat(envelope(command(HEAD, 1, 1, 0, 0, 1, 1)).hasCleanHead()).isFalse();
    }

    @Test
    void lengthMustBeThatOfTheArgumentsAndOfTheMemory() {
        byte[] one = argument(1, 0, 0, 0, 0);
        assertThat(envelope(command(HEAD + ARGUMENT, 1, 1, 1, 0, 0, 0), one).hasRightLength()).isTrue();
        assertThat(envelope(command(HEAD + ARGUMENT, 1, 1, 1, 0, 0, 0), one, one).hasRightLength()).isTrue();
        assertThat(envelope(command(HEAD, 1, 1, 1, 0, 0, 0), one).hasRightLength()).isFalse();
        assertThat(envelope(command(HEAD + 2 * ARGUMENT, 1, 1, 2, 0, 0, 0), one).hasRightLength()).isFalse();
    }

    @Test
    void argumentsBeyondTheMemoryAreNotRead() {
        byte[] one = argument(1, 0, 0, 0, 0);
        assertThat(envelope(command(HEAD + 9 * ARGUMENT, 1, 1, 9, 0, 0, 0), one, one).arguments()).hasSize(2);
        assertThat(envelope(command(HEAD + ARGUMENT, 1, 1, 1, 0, 0, 0), one, one).arguments()).hasSize(1);
    }

    @Test
    void argumentHasItsFieldsWhereTheKernelHasThem() {
        IoctlEnvelope read = envelope(
                command(HEAD + 2 * ARGUMENT, 0xfff1, 0xfff2, 2, 0, 0, 0),
                argument(0xfff3, 9, IbUverbsAttr.VALID_OUTPUT, 1, 0x8877665544332211L),
                argument(0x1004, 8, IbUverbsAttr.MANDATORY | IbUverbsAttr.VALID_OUTPUT, 0, 5));
        IoctlEnvelope.Argument first = read.arguments().getFirst();
        assertThat(first.offset()).isEqualTo(HEAD);
        assertThat(first.id()).isEqualTo(0xfff3);
        assertThat(first.length()).isEqualTo(9);
        assertThat(first.isMandatory()).isFalse();
        assertThat(first.isClean()).isFalse();
        assertThat(first.isInline()).isFalse();
        assertThat(first.data()).isEqualTo(0x8877665544332211L);
        assertThat(first.attribute()).isEmpty();
        IoctlEnvelope.Argument second = read.arguments().getLast();
        assertThat(second.offset()).isEqualTo(HEAD + ARGUMENT);
        assertThat(second.isMandatory()).isTrue();
        assertThat(second.isClean()).isTrue();
        assertThat(second.isInline()).isTrue();
        assertThat(second.inline().byteSize()).isEqualTo(8);
        assertThat(second.inline().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 5);
    }

    @Test
    void answersAreWrittenIntoTheCommand() {
        IoctlEnvelope read = envelope(
                command(HEAD + ARGUMENT, 1, 1, 1, 0, 0, 0), argument(1, 0, IbUverbsAttr.MANDATORY, 0, -1));
        IoctlEnvelope.Argument handle = read.arguments().getFirst();
        handle.create(0xf0000001);
        handle.markWritten();
        assertThat(handle.data()).isEqualTo(0xf0000001L);
        assertThat(handle.isMandatory()).isTrue();
        assertThat(handle.offset()).isEqualTo(HEAD);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.uapi.RdmaNldev;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NetlinkMessageTest {
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    private static String hex(MemorySegment memory) {
        return HexFormat.of().formatHex(memory.toArray(ValueLayout.JAVA_BYTE));
    }

    private MemorySegment bytes(String hex) {
        return arena.allocate(hex.length() / 2L, 4).copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
    }

    @Test
    void aRequestForAllDevicesIsAHeadAlone() {
        MemorySegment message = NetlinkRequest.of(arena, RdmaNldev.CMD_GET, true).finish(7);
        assertThat(hex(message)).isEqualTo("10000000" + "0114" + "0503" + "07000000" + "00000000");
    }

    @Test
    void attributesStartAtMultiplesOf4() {
        MemorySegment message = NetlinkRequest.of(arena, RdmaNldev.CMD_GET_CHARDEV, false)
                .number(RdmaNldev.ATTR_DEV_INDEX, 3)
                .text(RdmaNldev.ATTR_CHARDEV_TYPE, "uverbs")
                .finish(1);
        assertThat(hex(message))
                .isEqualTo("24000000" + "0f14" + "0500" + "01000000" + "00000000" + "08000100" + "03000000" + "0b004500"
                        + "75766572627300" + "00");
    }

    @Test
    void anAnswerGivesNumbersOfEachWidthAndTexts() {
        var answer = new NetlinkAnswer(bytes("08000100" + "fffffffe" + "0c000600" + "0102030405060780" + "05000e00"
                + "07000000" + "0a000200" + "727865300000" + "0000"));
        assertThat(answer.number(1)).hasValue(0xfeffffffL);
        assertThat(answer.number(6)).hasValue(0x8007060504030201L);
        assertThat(answer.number(14)).hasValue(7);
        assertThat(answer.text(2)).contains("rxe0");
        assertThat(answer.number(99)).isEmpty();
        assertThat(answer.text(99)).isEmpty();
    }

    @Test
    void flagsOfAnAttributeAreNotPartOfItsNumber() {
        assertThat(new NetlinkAnswer(bytes("08000180" + "05000000")).number(1)).hasValue(5);
    }

    @Test
    void anEmptyAttributeIsNeitherNumberNorText() {
        var answer = new NetlinkAnswer(bytes("04000100"));
        assertThat(answer.number(1)).isEmpty();
        assertThat(answer.text(1)).isEmpty();
    }

    @Test
    void aNumberHasAtMost8BytesAndATextMayBeEmpty() {
        var answer = new NetlinkAnswer(bytes("0d000100" + "010000000000000000000000" + "05000200" + "00000000"));
        assertThat(answer.number(1)).isEmpty();
        assertThat(answer.text(2)).contains("");
    }

    @Test
    void anEmptyAttributeDoesNotHideTheNext() {
        assertThat(new NetlinkAnswer(bytes("04000100" + "08000200" + "05000000")).number(2)).hasValue(5);
    }

    @Test
    void aBrokenAttributeEndsTheReading() {
        var answer = new NetlinkAnswer(bytes("08000100" + "05000000" + "ff000200" + "00000000"));
        assertThat(answer.number(1)).hasValue(5);
        assertThat(answer.number(2)).isEmpty();
        assertThat(new NetlinkAnswer(bytes("00000100")).number(1)).isEmpty();
    }

    @Test
    void aTableGivesItsEntriesInOrder() {
        // RES_PD { RES_PD_ENTRY { RES_PDN 3, RES_USECNT 2 } RES_PD_ENTRY { RES_PDN 4, RES_KERN_NAME "ib" } }
        String first = "1800" + "2f00" + "08003c00" + "03000000" + "0c002600" + "0200000000000000";
        String second = "1400" + "2f00" + "08003c00" + "04000000" + "07001d00" + "69620000";
        var answer = new NetlinkAnswer(bytes("3000" + "2e80" + first + second));

        ResourceKind kind = ResourceKind.PROTECTION_DOMAIN;
        var resources = answer.entries(kind.table(), kind.entry()).stream().map(kind::read).toList();

        assertThat(resources)
                .containsExactly(
                        new KernelResource(
                                kind,
                                OptionalLong.of(3),
                                OptionalInt.empty(),
                                Optional.empty(),
                                List.of(new KernelResource.Detail("users", 2)),
                                List.of()),
                        new KernelResource(
                                kind, OptionalLong.of(4), OptionalInt.empty(), Optional.of("ib"), List.of(),
                                List.of()));
        assertThat(answer.entries(kind.table(), 99)).isEmpty();
        assertThat(answer.entries(99, kind.entry())).isEmpty();
    }
}

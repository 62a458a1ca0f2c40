// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageTermsTest {
    private static final int LIMIT = PrivateDataLimits.CONNECT;
    private static final MessageTerms TERMS = new MessageTerms(16, 1024);

    @Test
    void standAtTheEndOfThePrivateDataAsDocumented() {
        byte[] data = TERMS.appendTo(PrivateData.of("mine"), LIMIT).bytes();

        assertThat(data).hasSize(LIMIT).startsWith('m', 'i', 'n', 'e');
        assertThat(HexFormat.of().formatHex(data, LIMIT - 12, LIMIT)).isEqualTo("76346a6d" + "00000010" + "00000400");
    }

    @Test
    void comeBackAndLeaveThePrivateDataOfTheProgramAlone() {
        PrivateData own = PrivateData.of("x".repeat(LIMIT - MessageTerms.SIZE));
        PrivateData sent = TERMS.appendTo(own, LIMIT);

        assertThat(MessageTerms.in(sent, LIMIT)).isEqualTo(TERMS);
        assertThat(MessageTerms.without(sent, LIMIT).trimmed()).isEqualTo(own.bytes());
        assertThat(MessageTerms.without(sent, LIMIT).size()).isEqualTo(LIMIT);
    }

    @Test
    void refusePrivateDataThatLeaveThemNoRoom() {
        assertThatThrownBy(() -> TERMS.appendTo(PrivateData.of(new byte[LIMIT - 11]), LIMIT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("privateData.size=45")
                .hasMessageContaining("44 bytes");
    }

    /// Private data that a program in C could send.
    @ParameterizedTest
    @CsvSource({"0, 16, 1024", "0x76346a6d, 0, 1024", "0x76346a6d, 65537, 1024", "0x76346a6d, 16, 0",
            "0x76346a6d, 16, 0x40000001", "0x76346a6d, -1, 1024", "0x76346a6d, 16, -1"})
    void areNotSeenInOtherData(String mark, String count, String bytes) {
        ByteBuffer data = ByteBuffer.allocate(LIMIT).position(LIMIT - MessageTerms.SIZE);
        data.putInt(Integer.decode(mark)).putInt(Integer.decode(count)).putInt(Integer.decode(bytes));
        PrivateData foreign = PrivateData.of(data.array());

        assertThat(MessageTerms.in(foreign, LIMIT)).isNull();
        assertThat(MessageTerms.without(foreign, LIMIT)).isEqualTo(foreign);
    }

    @Test
    void areNotSeenInShortData() {
        assertThat(MessageTerms.in(PrivateData.of(new byte[LIMIT - 1]), LIMIT)).isNull();
    }

    @Test
    void agreeOnTheLengthAlone() {
        var theirs = new MessageTerms(4, 1024);
        assertThat(TERMS.agree("accept", theirs)).isEqualTo(theirs);
        assertThatThrownBy(() -> TERMS.agree("accept", new MessageTerms(16, 64)))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO))
                .hasMessageContainingAll("1024", "64", "withMessages");
        assertThatThrownBy(() -> TERMS.agree("accept", null))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("the peer uses none", "withMessages(16, 1024)", "withPlainMessages");
    }
}

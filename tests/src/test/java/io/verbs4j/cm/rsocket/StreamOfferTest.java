// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.PrivateData;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamOfferTest {
    /// What rstream of rdma-core 44 sent, with the zeros that follow in a message of 56 bytes.
    private static final String OF_C =
            "0102018000000000" + "000055555556e000" + "00000313" + "00000002" + "00007ffff7153000" + "00000408"
                    + "00080000";

    private static PrivateData data(String hex) {
        return PrivateData.of(HexFormat.of().parseHex(hex));
    }

    @Test
    void readsWhatCSent() {
        assertThat(StreamOffer.decode(data(OF_C + "00".repeat(16))))
                .contains(new StreamOffer(
                        false, 384, 0x55555556e000L, 0x313, 2, 0x7ffff7153000L, 0x408, 0x80000));
    }

    @Test
    void writesWhatCReads() {
        var offer = new StreamOffer(false, 384, 0x55555556e000L, 0x313, 2, 0x7ffff7153000L, 0x408, 0x80000);
        assertThat(offer.encode()).isEqualTo(data(OF_C));
    }

    @Test
    void knowsThatAPeerIsBigEndian() {
        StreamOffer offer = StreamOffer.decode(data("0103" + OF_C.substring(4))).orElseThrow();
        assertThat(offer.bigEndian()).isTrue();
        assertThat(StreamOffer.decode(offer.encode())).contains(offer);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "", "01", "0202018000000000000055555556e000000003130000000200007ffff71530000000040800080000",
            "0102018000000000000055555556e000000003130000000100007ffff71530000000040800080000",
            "0102018000000000000055555556e000000003130000000200007ffff71530000000040800000000"
    })
    void refusesWhatNoStreamCanLiveWith(String hex) {
        assertThat(StreamOffer.decode(data(hex))).isEmpty();
    }

    @Test
    void messagesHaveThreeBitsOfKindAndTheRestOfValue() {
        assertThat(StreamMessage.of(StreamMessage.CREDIT, 384)).isEqualTo(0x80000180);
        assertThat(StreamMessage.of(StreamMessage.CONTROL, StreamMessage.DISCONNECT)).isEqualTo(0xe0000000);
        assertThat(StreamMessage.kind(0xe0000002)).isEqualTo(StreamMessage.CONTROL);
        assertThat(StreamMessage.value(0xe0000002)).isEqualTo(StreamMessage.SHUTDOWN);
        assertThat(StreamMessage.value(0x1fffffff)).isEqualTo(0x1fffffff);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.Bth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// Properties of all management datagrams, well-formed and hostile.
class MadProperties {
    private static final int UD_SEND_ONLY = 0x64;

    private static RoceV2Packet packet(int opcode, int queuePair, byte[] payload) {
        return new RoceV2Packet.Builder()
                .bth(new Bth(new RoceOpcode(opcode), false, false, 0, 0, 0xffff, false, false, queuePair, false, 0))
                .extensions(new Deth(Mad.QKEY, Mad.QUEUE_PAIR))
                .payload(payload)
                .build();
    }

    @Property(tries = 300)
    void everyFieldComesBackAndLeavesItsNeighboursAlone(@ForAll CmMessageType type, @ForAll long seed) {
        var random = new Random(seed);
        Fields.Builder builder = CmMessage.fieldsOf(type);
        for (BitField field : type.layout().fields()) {
            if (field.isReserved()) {
                continue;
            }
            if (field.isNumber()) {
                builder.set(field.name(), random.nextLong() >>> (Long.SIZE - field.bits()));
            } else {
                byte[] bytes = new byte[field.bytes()];
                random.nextBytes(bytes);
                builder.set(field.name(), bytes);
            }
        }
        var again = new Random(seed);
        Fields fields = Mad.parse(Mad.of(new CmMessage(type, builder.build()), seed).bytes())
                .orElseThrow()
                .message()
                .orElseThrow()
                .fields();
        for (BitField field : type.layout().fields()) {
            if (field.isReserved()) {
                assertThat(fields.value(field)).isZero();
            } else if (field.isNumber()) {
                assertThat(fields.value(field)).as(field.name())
                        .isEqualTo(again.nextLong() >>> (Long.SIZE - field.bits()));
            } else {
                byte[] bytes = new byte[field.bytes()];
                again.nextBytes(bytes);
                assertThat(fields.bytes(field.name())).as(field.name()).isEqualTo(bytes);
            }
        }
    }

    @Property(tries = 2000)
    void noBytesWhateverMakeItFail(
            @ForAll @IntRange(max = 300) int length, @ForAll long seed, @ForAll boolean plausible) {
        byte[] bytes = new byte[length];
        var random = new Random(seed);
        random.nextBytes(bytes);
        if (plausible && length >= 24) {
            System.arraycopy(new byte[]{1, Mad.CONNECTION_MANAGER, 2, 3}, 0, bytes, 0, 4);
            bytes[16] = 0;
            bytes[17] = (byte) (0x0f + random.nextInt(13));
        }
        Optional<Mad> mad = Mad.in(packet(UD_SEND_ONLY, Mad.QUEUE_PAIR, bytes));

        assertThat(mad.isPresent()).isEqualTo(length >= Mad.BYTES);
        mad.ifPresent(found -> {
            assertThat(found.bytes()).isEqualTo(Arrays.copyOf(bytes, Mad.BYTES));
            assertThat(found.toString()).isNotEmpty();
            found.message().ifPresent(MadProperties::readAll);
        });
    }

    private static void readAll(CmMessage message) {
        message.type().layout().fields().forEach(field -> assertThat(message.fields().text(field)).isNotEmpty());
        message.localId();
        message.remoteId();
        message.queuePairNumber();
        assertThat(message.port().isPresent()).isEqualTo(message.portSpace().isPresent());
        int all = message.fields().bytes("private_data").length;
        assertThat(message.privateData())
                .hasSize(message.ipHeader().isPresent() ? all - IpHeader.BYTES : all);
    }

    @Property(tries = 50)
    void onlyDatagramsToQueuePairOneAreTaken(@ForAll @IntRange(max = 0xffffff) int queuePair) {
        assertThat(Mad.in(packet(UD_SEND_ONLY, queuePair, new byte[Mad.BYTES])).isPresent())
                .isEqualTo(queuePair == Mad.QUEUE_PAIR);
        var send = new RoceV2Packet.Builder()
                .bth(new Bth(RoceOpcode.RC_SEND_ONLY, false, false, 0, 0, 0xffff, false, false, 1, false, 0))
                .payload(new byte[Mad.BYTES])
                .build();
        assertThat(Mad.in(send)).isEmpty();
    }
}

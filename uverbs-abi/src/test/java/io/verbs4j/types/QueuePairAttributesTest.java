// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import org.junit.jupiter.api.Test;

class QueuePairAttributesTest {
    private static final AddressVector PATH = AddressVector.roce(1, 3, new Gid(0, 17));

    /// Each attribute has another value than a builder's initial one.
    private static final QueuePairAttributes ALL = QueuePairAttributes.builder()
            .state(QueuePairState.RTS)
            .currentState(QueuePairState.RTR)
            .sqdAsyncNotify(true)
            .accessFlags(7)
            .pkeyIndex(1)
            .port(2)
            .qkey(3)
            .addressVector(PATH)
            .pathMtu(Mtu.MTU_512)
            .timeout(4)
            .retryCount(5)
            .rnrRetry(6)
            .receivePsn(7)
            .sendPsn(8)
            .maxReadAtomic(9)
            .maxDestinationReadAtomic(10)
            .minRnrTimer(11)
            .destinationQueuePairNumber(12)
            .pathMigrationState(1)
            .alternatePath(PATH)
            .capabilities(new QueuePairCapabilities(1, 2, 3, 4, 5))
            .sendQueueDraining(true)
            .build();

    @Test
    void areTheSameThroughABuilder() throws ReflectiveOperationException {
        assertThat(ALL.toBuilder().build()).isEqualTo(ALL);
        var nothing = QueuePairAttributes.builder().build();
        for (RecordComponent component : QueuePairAttributes.class.getRecordComponents()) {
            assertThat(component.getAccessor().invoke(ALL))
                    .as("sample of " + component.getName())
                    .isNotEqualTo(component.getAccessor().invoke(nothing));
        }
    }

    @Test
    void changeInABuilderWithoutChangingTheFirst() {
        var other = ALL.toBuilder().timeout(20).build();
        assertThat(other.timeout()).isEqualTo(20);
        assertThat(ALL.timeout()).isEqualTo(4);
        assertThat(other.toBuilder().timeout(4).build()).isEqualTo(ALL);
    }

    @Test
    void leaveOutWhatIsNotMeant() {
        var some = ALL.without(QueuePairAttribute.TIMEOUT, QueuePairAttribute.PORT);
        assertThat(some.has(QueuePairAttribute.TIMEOUT)).isFalse();
        assertThat(some.has(QueuePairAttribute.PORT)).isFalse();
        assertThat(some.attributes()).hasSize(ALL.attributes().size() - 2);
        assertThat(ALL.without()).isEqualTo(ALL);
    }
}

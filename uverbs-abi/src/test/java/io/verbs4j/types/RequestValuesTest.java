// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Values that users compose.
class RequestValuesTest {
    private static void assertRefused(String message, ThrowingCallable action) {
        assertThatThrownBy(action).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    @Test
    void aPathOnRoceHasDefaultsThatWork() {
        AddressVector path = AddressVector.roce(1, 3, Gid.ZERO);
        assertThat(path).isEqualTo(new AddressVector(Gid.ZERO, 3, 0, 64, 0, 0, 1, 0));
        assertThat(path.withFlowLabel(5).withHopLimit(6).withTrafficClass(7).withServiceLevel(8))
                .isEqualTo(new AddressVector(Gid.ZERO, 3, 5, 6, 7, 8, 1, 0));
    }

    @Test
    void aPathOutOfRangeIsRefused() {
        AddressVector path = AddressVector.roce(1, 3, Gid.ZERO);
        assertRefused("port=0", () -> AddressVector.roce(0, 3, Gid.ZERO));
        assertRefused("sourceGidIndex=256", () -> AddressVector.roce(1, 256, Gid.ZERO));
        assertRefused("flowLabel=1048576", () -> path.withFlowLabel(1 << 20));
        assertRefused("hopLimit=-1", () -> path.withHopLimit(-1));
        assertRefused("trafficClass=256", () -> path.withTrafficClass(256));
        assertRefused("serviceLevel=16", () -> path.withServiceLevel(16));
        assertRefused("destinationLid=65536", () -> new AddressVector(Gid.ZERO, 0, 0, 0, 0, 0, 1, 65536));
    }

    @Test
    void theBuilderNotesWhatWasSet() {
        QueuePairAttributes attributes = QueuePairAttributes.builder().state(QueuePairState.INIT).port(1).build();
        assertThat(attributes.attributes()).isEqualTo(EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.PORT));
        assertThat(attributes.has(QueuePairAttribute.PORT)).isTrue();
        assertThat(attributes.has(QueuePairAttribute.QKEY)).isFalse();
        assertThat(QueuePairAttributes.builder().sendQueueDraining(true).build().mask()).isZero();
    }

    @Test
    void attributesOutOfRangeAreRefused() {
        assertAttributeRefused("pkeyIndex=65536", builder -> builder.pkeyIndex(1 << 16));
        assertAttributeRefused("port=256", builder -> builder.port(256));
        assertAttributeRefused("timeout=32", builder -> builder.timeout(32));
        assertAttributeRefused("retryCount=8", builder -> builder.retryCount(8));
        assertAttributeRefused("rnrRetry=8", builder -> builder.rnrRetry(8));
        assertAttributeRefused("receivePsn=16777216", builder -> builder.receivePsn(1 << 24));
        assertAttributeRefused("sendPsn=-1", builder -> builder.sendPsn(-1));
        assertAttributeRefused("maxReadAtomic=256", builder -> builder.maxReadAtomic(256));
        assertAttributeRefused("maxDestinationReadAtomic=-1", builder -> builder.maxDestinationReadAtomic(-1));
        assertAttributeRefused("minRnrTimer=32", builder -> builder.minRnrTimer(32));
        assertAttributeRefused(
                "destinationQueuePairNumber=16777216", builder -> builder.destinationQueuePairNumber(1 << 24));
        assertAttributeRefused("pathMigrationState=3", builder -> builder.pathMigrationState(3));
    }

    private static void assertAttributeRefused(String message, Consumer<QueuePairAttributes.Builder> setting) {
        var builder = QueuePairAttributes.builder();
        setting.accept(builder);
        assertRefused(message, builder::build);
    }

    @Test
    void connectionParametersHaveDefaults() {
        assertThat(ConnectionParameters.DEFAULT)
                .isEqualTo(new ConnectionParameters(0, PrivateData.NONE, 1, 1, true, 6, 7, false));
        assertThat(ConnectionParameters.DEFAULT
                .withQueuePairNumber(2)
                .withPrivateData(PrivateData.of("a"))
                .withReadAtomic(3, 4)
                .withRetries(5, 0)
                .withSharedReceiveQueue(true))
                .isEqualTo(new ConnectionParameters(2, PrivateData.of("a"), 3, 4, true, 5, 0, true));
    }

    @Test
    void privateDataEndWithZeros() {
        PrivateData data = PrivateData.of(new byte[]{'a', 'b', 0, 'c', 0, 0});
        assertThat(data.text()).isEqualTo("ab");
        assertThat(PrivateData.of("äb").text()).isEqualTo("äb");
        assertThat(PrivateData.NONE.text()).isEmpty();
        assertThat(data.trimmed()).containsExactly('a', 'b', 0, 'c');
        assertThat(data).hasToString("61620063").isNotEqualTo(PrivateData.of("ab")).isNotEqualTo("ab");
        assertThat(data.size()).isEqualTo(6);
    }

    @Test
    void noPrivateDataAreNoBytes() {
        assertThat(PrivateData.NONE.bytes()).isEmpty();
        assertThat(PrivateData.of(new byte[0])).isEqualTo(PrivateData.NONE);
    }

    @Test
    void aListOfBuffersGrowsAndIsUsedAgain() {
        var list = new ScatterGatherList();
        for (int i = 0; i < 10; i++) {
            list.add(0x1000L * i, i, 100 + i);
        }
        assertThat(list.size()).isEqualTo(10);
        assertThat(list.totalLength()).isEqualTo(45);
        assertThat(list.address(9)).isEqualTo(0x9000);
        assertThat(list.length(9)).isEqualTo(9);
        assertThat(list.lkey(9)).isEqualTo(109);
        assertThat(list.clear().size()).isZero();
        assertThat(list.add(1, Integer.MAX_VALUE, 0).add(1, Integer.MAX_VALUE, 0).totalLength())
                .isEqualTo(2L * Integer.MAX_VALUE);
        assertRefused("length=-1", () -> list.add(1, -1, 0));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Numbers of the kernel that have names.
class KernelCodesTest {
    private static final List<Class<?>> CODES = List.of(
            AsyncEventType.class,
            CompletionOpcode.class,
            CompletionStatus.class,
            GidType.class,
            LinkLayer.class,
            NodeType.class,
            PhysicalState.class,
            PortState.class);

    @ParameterizedTest
    @FieldSource("CODES")
    void everyConstantPrintsItsName(Class<?> type) throws ReflectiveOperationException {
        for (Field field : type.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == type) {
                Object value = field.get(null);
                assertThat(value).hasToString(field.getName());
                assertThat(type.getMethod("known").invoke(value)).isEqualTo(true);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("CODES")
    void anUnknownCodeIsKeptAndPrintsAsSuch(Class<?> type) throws ReflectiveOperationException {
        int unknown = 0;
        for (int code : IntStream.concat(IntStream.range(-1, 100), IntStream.of(Integer.MAX_VALUE)).toArray()) {
            Object value = type.getConstructor(int.class).newInstance(code);
            if (type.getMethod("known").invoke(value).equals(false)) {
                assertThat(value).hasToString("UNKNOWN(" + code + ")");
                unknown++;
            }
        }
        assertThat(unknown).isGreaterThan(60);
    }

    @Test
    void opcodesOfWorkRequestsHaveNames() {
        assertThat(WorkRequestOpcode.name(WorkRequestOpcode.ATOMIC_WRITE)).isEqualTo("ATOMIC_WRITE");
        assertThat(WorkRequestOpcode.name(10)).isEqualTo("UNKNOWN(10)");
    }

    @Test
    void statesAndMtusAreClosedSets() {
        for (QueuePairState state : QueuePairState.values()) {
            assertThat(QueuePairState.of(state.value())).isEqualTo(state);
        }
        assertThatThrownBy(() -> QueuePairState.of(7)).hasMessageContaining("value=7");
        assertThatThrownBy(() -> QueuePairState.of(-1)).hasMessageContaining("value=-1");
        for (Mtu mtu : Mtu.values()) {
            assertThat(Mtu.of(mtu.value())).isEqualTo(mtu);
            assertThat(Mtu.ofBytes(mtu.bytes())).isEqualTo(mtu);
        }
        assertThat(Mtu.MTU_4096.bytes()).isEqualTo(4096);
        assertThat(Mtu.MTU_4096.min(Mtu.MTU_1024)).isEqualTo(Mtu.MTU_1024);
        assertThatThrownBy(() -> Mtu.of(0)).hasMessageContaining("value=0");
        assertThatThrownBy(() -> Mtu.ofBytes(1500)).hasMessageContaining("bytes=1500");
    }

    @Test
    void masksAndSetsAreTheSame() {
        int mask = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.RELAXED_ORDERING);
        assertThat(mask).isEqualTo(0x100005);
        assertThat(Access.mask(Access.of(mask))).isEqualTo(mask);
        assertThat(Access.of(1 << 30)).isEmpty();
        int attributes = QueuePairAttribute.mask(QueuePairAttribute.STATE, QueuePairAttribute.DESTINATION_QP);
        assertThat(attributes).isEqualTo(0x100001);
        assertThat(QueuePairAttribute.of(attributes | 1 << 25))
                .containsExactly(QueuePairAttribute.STATE, QueuePairAttribute.DESTINATION_QP);
    }

    @Test
    void deviceCapabilitiesAreAskedForTogether() {
        var none = new DeviceAttributes.Extended(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        long flags = DeviceAttributes.ATOMIC_WRITE | DeviceAttributes.FLUSH_GLOBAL;
        List<Boolean> answers = List.of(
                attributes(flags, none).has(DeviceAttributes.ATOMIC_WRITE),
                attributes(flags, none).has(flags),
                attributes(flags, none).has(flags | DeviceAttributes.FLUSH_PERSISTENT));
        assertThat(answers).containsExactly(true, true, false);
    }

    private static DeviceAttributes attributes(long flags, DeviceAttributes.Extended extended) {
        return new DeviceAttributes(
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, flags, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0,
                0, 0, 0, 0, 0, extended);
    }
}

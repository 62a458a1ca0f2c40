// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Records accept the first and the last value of each range, and refuse those beside it.
class RecordRangesTest {
    private static final Map<String, Record> BASES = Map.of(
            "AddressVector",
            AddressVector.roce(1, 3, Gid.ZERO),
            "ConnectionParameters",
            ConnectionParameters.DEFAULT,
            "QueuePairCapabilities",
            new QueuePairCapabilities(1, 1, 1, 1, 1),
            "QueuePairAttributes",
            QueuePairAttributes.builder().build(),
            "DatagramPath",
            new DatagramPath(1, 2, AddressVector.roce(1, 3, Gid.ZERO), PrivateData.NONE),
            "RingReading",
            new RingReading(8, 0, 0, 0, 0));

    @ParameterizedTest
    @CsvSource({
            "AddressVector, sourceGidIndex, 0, 255",
            "AddressVector, flowLabel, 0, 1048575",
            "AddressVector, hopLimit, 0, 255",
            "AddressVector, trafficClass, 0, 255",
            "AddressVector, serviceLevel, 0, 15",
            "AddressVector, port, 1, 255",
            "AddressVector, destinationLid, 0, 65535",
            "ConnectionParameters, queuePairNumber, 0, 16777215",
            "ConnectionParameters, responderResources, 0, 255",
            "ConnectionParameters, initiatorDepth, 0, 255",
            "ConnectionParameters, retryCount, 0, 7",
            "ConnectionParameters, rnrRetry, 0, 7",
            "QueuePairCapabilities, maxSendWorkRequests, 0, 2147483647",
            "QueuePairCapabilities, maxReceiveWorkRequests, 0, 2147483647",
            "QueuePairCapabilities, maxSendScatterGather, 0, 2147483647",
            "QueuePairCapabilities, maxReceiveScatterGather, 0, 2147483647",
            "QueuePairCapabilities, maxInlineData, 0, 2147483647",
            "QueuePairAttributes, pkeyIndex, 0, 65535",
            "QueuePairAttributes, port, 0, 255",
            "QueuePairAttributes, timeout, 0, 31",
            "QueuePairAttributes, retryCount, 0, 7",
            "QueuePairAttributes, rnrRetry, 0, 7",
            "QueuePairAttributes, receivePsn, 0, 16777215",
            "QueuePairAttributes, sendPsn, 0, 16777215",
            "QueuePairAttributes, maxReadAtomic, 0, 255",
            "QueuePairAttributes, maxDestinationReadAtomic, 0, 255",
            "QueuePairAttributes, minRnrTimer, 0, 31",
            "QueuePairAttributes, destinationQueuePairNumber, 0, 16777215",
            "DatagramPath, queuePairNumber, 0, 16777215",
            "RingReading, capacity, 0, 2147483647",
            "RingReading, fill, 0, 8"
    })
    void haveTheirEnds(String type, String component, int min, int max) throws Throwable {
        Record base = BASES.get(type);
        for (int value : new int[]{min, max}) {
            assertThat(with(base, component, value).toString()).contains(component + "=" + value);
        }
        for (long value : new long[]{min - 1L, max + 1L}) {
            if (value == (int) value) {
                assertThatThrownBy(() -> with(base, component, (int) value))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(component + "=" + value + " is not in " + min + ".." + max);
            }
        }
    }

    private static Record with(Record base, String component, int value) throws Throwable {
        RecordComponent[] components = base.getClass().getRecordComponents();
        var values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = components[i].getName().equals(component) ? value : components[i].getAccessor().invoke(base);
        }
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return base.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

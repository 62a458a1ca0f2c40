// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.Rdeth;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.XrcEth;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.UdpSourcePort;
import io.verbs4j.valkey.ValkeyOptions;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each number of the API is accepted from the first to the last value of its documented range, and refused by name
/// next to it. The name stands before the range if it is not that of the method or component. Numbers without a line
/// accept any value.
class ArgumentRangesTest {
    private static final Pattern REFUSAL = Pattern.compile("(.*)=-?\\d+ is not in (-?\\d+)\\.\\.(-?\\d+)");
    private static final String RANGES = """
        AddressVector.destinationLid 0..65535
        AddressVector.flowLabel 0..1048575
        AddressVector.hopLimit 0..255
        AddressVector.port 1..255
        AddressVector.serviceLevel 0..15
        AddressVector.sourceGidIndex 0..255
        AddressVector.trafficClass 0..255
        Aeth.messageSequenceNumber 0..16777215
        Aeth.syndrome 0..255
        Bth.destinationQueuePair 0..16777215
        Bth.packetSequenceNumber 0..16777215
        Bth.padCount 0..3
        Bth.pkey 0..65535
        Bth.version 0..15
        ConnectionOptions.withAcknowledgeTimeout exponent 0..31
        ConnectionOptions.withIwarpSends maxSends 1..2147483647
        ConnectionOptions.withMessages 1 count 1..65536
        ConnectionOptions.withMessages 2 bytes 1..1073741824
        ConnectionOptions.withPlainMessages 1 count 1..65536
        ConnectionOptions.withPlainMessages 2 bytes 1..1073741824
        ConnectionOptions.withQueues 1 maxSends 1..2147483647
        ConnectionOptions.withQueues 2 maxReceives 0..2147483647
        ConnectionOptions.withReadAtomic count 0..255
        ConnectionOptions.withRetries 1 afterTimeouts 0..7
        ConnectionOptions.withRetries 2 afterReceiverNotReady 0..7
        ConnectionOptions.withTypeOfService value 0..255
        ConnectionParameters.initiatorDepth 0..255
        ConnectionParameters.queuePairNumber 0..16777215
        ConnectionParameters.responderResources 0..255
        ConnectionParameters.retryCount 0..7
        ConnectionParameters.rnrRetry 0..7
        Context.createCompletionQueue completionVector 0..1
        Context.port 1..1
        DatagramPath.queuePairNumber 0..16777215
        Deth.sourceQueuePair 0..16777215
        Feth.placementType 0..15
        Feth.selectivity 0..3
        QueuePairAttributes.destinationQueuePairNumber 0..16777215
        QueuePairAttributes.maxDestinationReadAtomic 0..255
        QueuePairAttributes.maxReadAtomic 0..255
        QueuePairAttributes.minRnrTimer 0..31
        QueuePairAttributes.pathMigrationState 0..2
        QueuePairAttributes.pkeyIndex 0..65535
        QueuePairAttributes.port 0..255
        QueuePairAttributes.receivePsn 0..16777215
        QueuePairAttributes.retryCount 0..7
        QueuePairAttributes.rnrRetry 0..7
        QueuePairAttributes.sendPsn 0..16777215
        QueuePairAttributes.timeout 0..31
        QueuePairBuilder.flowLabel 0..1048575
        QueuePairBuilder.hopLimit 0..255
        QueuePairBuilder.maxInlineData 0..512
        QueuePairBuilder.maxReceiveScatterGather 0..32
        QueuePairBuilder.maxReceives 0..1048576
        QueuePairBuilder.maxSendScatterGather 0..32
        QueuePairBuilder.maxSends 0..1048576
        QueuePairBuilder.minRnrTimer 0..31
        QueuePairBuilder.packetSequenceNumber 0..16777215
        QueuePairBuilder.port 1..1
        QueuePairBuilder.readAtomic 0..128
        QueuePairBuilder.retryCount 0..7
        QueuePairBuilder.rnrRetry 0..7
        QueuePairBuilder.serviceLevel 0..15
        QueuePairBuilder.timeout 0..31
        QueuePairBuilder.trafficClass 0..255
        QueuePairCapabilities.maxInlineData 0..2147483647
        QueuePairCapabilities.maxReceiveScatterGather 0..2147483647
        QueuePairCapabilities.maxReceiveWorkRequests 0..2147483647
        QueuePairCapabilities.maxSendScatterGather 0..2147483647
        QueuePairCapabilities.maxSendWorkRequests 0..2147483647
        QueuePairEndpoint.gidIndex 0..255
        QueuePairEndpoint.lid 0..65535
        QueuePairEndpoint.packetSequenceNumber 0..16777215
        QueuePairEndpoint.queuePairNumber 0..16777215
        Rdeth.endToEndContext 0..16777215
        RingReading.capacity 0..2147483647
        RingReading.fill 0..5
        RoceOpcode value 0..255
        StreamOptions.mappings 0..128
        StreamOptions.messages 8..16384
        StreamOptions.receiveBytes 4096..268435456
        StreamOptions.sendBytes 4096..268435456
        UdpSourcePort.ofFlowLabel flowLabel 0..1048575
        UdpSourcePort.ofQueuePairs 1 one 0..16777215
        UdpSourcePort.ofQueuePairs 2 other 0..16777215
        ValkeyOptions.messages 16..16384
        ValkeyOptions.receiveBytes 4096..268435456
        ValkeyOptions.sendBytes 4096..268435456
        XrcEth.sharedReceiveQueue 0..16777215
        """;

    private final Map<String, IntConsumer> arguments = new TreeMap<>();

    /// Adds the numbers of a record, each replaced in a valid value of it.
    private void addRecord(Record valid) throws ReflectiveOperationException {
        RecordComponent[] components = valid.getClass().getRecordComponents();
        Constructor<?> constructor = valid.getClass()
                .getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        for (int i = 0; i < components.length; i++) {
            if (components[i].getType() == int.class) {
                int changed = i;
                arguments.put(name(valid.getClass(), components[i].getName()), value -> {
                    Object[] values = Arrays.stream(components)
                            .map(component -> call(component.getAccessor(), valid))
                            .toArray();
                    values[changed] = value;
                    call(constructor, values);
                });
            }
        }
    }

    /// Adds the methods of a class that take a number and return the same class.
    private void addSetters(Object target, Class<?> type) {
        for (Method method : type.getMethods()) {
            if (Modifier.isPublic(method.getModifiers())
                    && method.getReturnType() == type
                    && Arrays.equals(method.getParameterTypes(), new Class<?>[]{int.class})) {
                arguments.put(name(type, method.getName()), value -> call(method, target, value));
            }
        }
    }

    private static String name(Class<?> type, String argument) {
        return type.getSimpleName() + "." + argument;
    }

    private static Object call(Method method, Object target, Object... values) {
        try {
            return method.invoke(target, values);
        } catch (InvocationTargetException e) {
            throw (RuntimeException) e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static void call(Constructor<?> constructor, Object... values) {
        try {
            constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private void addAll(Context context) throws ReflectiveOperationException {
        var path = new AddressVector(Gid.ZERO, 0, 0, 0, 0, 0, 1, 0);
        var noData = PrivateData.NONE;
        addRecord(new Aeth(0, 0));
        addRecord(new XrcEth(0));
        addRecord(new Deth(0, 0));
        addRecord(new Rdeth(0));
        addRecord(new Feth(0, 0));
        addRecord(new Bth(RoceOpcode.RC_SEND_ONLY, false, false, 0, 0, 0, false, false, 0, false, 0));
        addRecord(path);
        addRecord(new DatagramPath(0, 0, path, noData));
        addRecord(new QueuePairCapabilities(0, 0, 0, 0, 0));
        addRecord(new ConnectionParameters(0, noData, 0, 0, false, 0, 0, false));
        addRecord(new RingReading(5, 0, 0, 0, 0));
        addRecord(new QueuePairEndpoint(0, 0, Gid.ZERO, 0, Mtu.MTU_256, 0, 0));
        addRecord(StreamOptions.defaults());
        addRecord(ValkeyOptions.defaults());
        addSetters(ConnectionOptions.defaults(), ConnectionOptions.class);
        addAll(context, context.allocateProtectionDomain().reliableConnection(context.createCompletionQueue(1)));
    }

    private void addAll(Context context, QueuePairBuilder builder) {
        addSetters(builder, QueuePairBuilder.class);
        for (Method method : QueuePairAttributes.Builder.class.getMethods()) {
            if (Arrays.equals(method.getParameterTypes(), new Class<?>[]{int.class})
                    && method.getReturnType() == QueuePairAttributes.Builder.class) {
                arguments.put("QueuePairAttributes." + method.getName(), value -> {
                    var attributes = QueuePairAttributes.builder();
                    call(method, attributes, value);
                    attributes.build();
                });
            }
        }
        var connection = ConnectionOptions.defaults();
        arguments.put("ConnectionOptions.withRetries 1", value -> connection.withRetries(value, 0));
        arguments.put("ConnectionOptions.withRetries 2", value -> connection.withRetries(0, value));
        arguments.put("ConnectionOptions.withQueues 1", value -> connection.withQueues(value, 0));
        arguments.put("ConnectionOptions.withQueues 2", value -> connection.withQueues(1, value));
        arguments.put("ConnectionOptions.withMessages 1", value -> connection.withMessages(value, 1));
        arguments.put("ConnectionOptions.withMessages 2", value -> connection.withMessages(1, value));
        arguments.put("ConnectionOptions.withPlainMessages 1", value -> connection.withPlainMessages(value, 1));
        arguments.put("ConnectionOptions.withPlainMessages 2", value -> connection.withPlainMessages(1, value));
        arguments.put("UdpSourcePort.ofFlowLabel", UdpSourcePort::ofFlowLabel);
        arguments.put("UdpSourcePort.ofQueuePairs 1", value -> UdpSourcePort.ofQueuePairs(value, 0));
        arguments.put("UdpSourcePort.ofQueuePairs 2", value -> UdpSourcePort.ofQueuePairs(0, value));
        arguments.put("RoceOpcode", RoceOpcode::new);
        arguments.put("Context.port", value -> context.port(value));
        arguments.put("Context.createCompletionQueue", value -> context.createCompletionQueue(
                CompletionQueueOptions.entries(1).withCompletionVector(value)).close());
    }

    /// A range with the name that refusals contain.
    private record Range(String name, int min, int max) {
        /// Returns the line of an argument.
        String line(String argument) {
            return argument + (argument.endsWith("." + name) ? "" : " " + name) + " " + min + ".." + max + "\n";
        }

        void assertBounds(String argument, IntConsumer setter) {
            for (int value : new int[]{min, max}) {
                assertThatCode(() -> setter.accept(value)).as(argument).doesNotThrowAnyException();
            }
            for (int value : new int[]{min - 1, max + 1}) { // the largest number overflows to a negative one
                assertThatIllegalArgumentException().as(argument)
                        .isThrownBy(() -> setter.accept(value))
                        .withMessage(name + "=" + value + " is not in " + min + ".." + max);
            }
        }
    }

    /// Returns the range that a refusal names; null if any value is accepted.
    private static @Nullable Range range(IntConsumer argument) {
        for (int value : new int[]{Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            try {
                argument.accept(value);
            } catch (IllegalArgumentException e) {
                Matcher refusal = REFUSAL.matcher(e.getMessage());
                assertThat(refusal.matches()).as(e.getMessage()).isTrue();
                return new Range(
                        refusal.group(1), Integer.parseInt(refusal.group(2)), Integer.parseInt(refusal.group(3)));
            }
        }
        return null;
    }

    @Test
    void areThoseOfTheDocumentationAndComplete() throws ReflectiveOperationException {
        try (var network = SimulatedNetwork.inRealTime()) {
            var host = network.addHost("here", KernelProfile.LINUX_7_2);
            host.addDevice("rxe0");
            try (var context = Devices.of(host).getFirst().open()) {
                addAll(context);
                var ranges = new TreeMap<String, Range>();
                arguments.forEach((argument, setter) -> {
                    Range range = range(setter);
                    if (range != null) {
                        ranges.put(argument, range);
                    }
                });
                var found = new StringBuilder();
                ranges.forEach((argument, range) -> found.append(range.line(argument)));
                assertThat(found.toString()).isEqualTo(RANGES);
                ranges.forEach((argument, range) -> range.assertBounds(
                        argument, Objects.requireNonNull(arguments.get(argument))));
            }
        }
    }
}

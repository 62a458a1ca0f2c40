// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.tests.support.Forwarding;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.ScatterGatherList;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each command frees its memory, whether the kernel executes or refuses it.
class CommandMemoryTest {
    private static final Thread NO_THREAD = new Thread();

    /// Returns the methods `execute` of all commands.
    static Stream<Method> commands() throws IOException, URISyntaxException {
        return CommandCatalogueTest.classes()
                .stream()
                .filter(type -> Arrays.stream(type.getDeclaredFields())
                        .anyMatch(field -> field.getType() == CommandSpecification.class))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.getName().equals("execute") && Modifier.isStatic(method.getModifiers()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isFreed(Method command) throws ReflectiveOperationException {
        int total = 0;
        for (Transport transport : Transport.values()) {
            for (int error : new int[]{0, Errno.EINVAL, Errno.EPROTONOSUPPORT}) {
                var sent = new ArrayList<MemorySegment>();
                DeviceFile file = Forwarding.of(DeviceFile.class, (_, method, arguments) -> switch (method.getName()) {
                    case "ioctl", "write" -> {
                        var memory = (MemorySegment) arguments[0];
                        sent.add(memory);
                        yield error != 0 ? -error : method.getName().equals("ioctl") ? 0 : (int) memory.byteSize();
                    }
                    case "eventFile" -> value(EventFile.class);
                    default -> null;
                });
                try {
                    command.invoke(null, Arrays.stream(command.getParameterTypes())
                            .map(type -> type == CommandChannel.class
                                    ? CommandChannel.open(file, 1, "fake0", 2, transport)
                                    : type == DeviceFile.class ? file : value(type))
                            .toArray());
                } catch (InvocationTargetException e) {
                    // Refused, or the answer of zeros is invalid.
                }
                assertThat(sent).as("by %s, error %d", transport, error)
                        .noneMatch(memory -> isConfined(memory) && memory.scope().isAlive());
                total += sent.size();
            }
        }
        assertThat(total).as("%s", command).isPositive();
    }

    /// Memory that outlives a call is not confined to a thread.
    private static boolean isConfined(MemorySegment memory) {
        return !memory.isAccessibleBy(NO_THREAD);
    }

    /// Returns some value of a type.
    private static Object value(Class<?> type) {
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isRecord() && type != DriverData.class) {
            Class<?>[] types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            try {
                return type.getDeclaredConstructor(types)
                        .newInstance(Arrays.stream(types).map(CommandMemoryTest::value).toArray());
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
        return switch (type.getSimpleName()) {
            case "int", "Integer" -> 1;
            case "long" -> 1L;
            case "byte" -> (byte) 1;
            case "byte[]" -> new byte[0];
            case "boolean" -> false;
            case "EventFile" -> Forwarding.of(
                    EventFile.class, (_, method, _) -> method.getReturnType() == int.class ? 0 : null);
            case "PrivateData" -> PrivateData.NONE;
            case "DriverData" -> DriverData.NONE;
            case "QueuePairAttributes" -> QueuePairAttributes.builder().state(QueuePairState.INIT).build();
            case "ScatterGatherList" -> new ScatterGatherList().add(0, 1, 1);
            case "InetSocketAddress" -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            default -> throw new AssertionError(type);
        };
    }
}

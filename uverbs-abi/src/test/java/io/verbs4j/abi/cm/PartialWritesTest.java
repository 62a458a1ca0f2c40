// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The kernel accepts a whole command or nothing.
class PartialWritesTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 7471);

    private int missing;
    private final DeviceFile file = (DeviceFile) Proxy.newProxyInstance(
            DeviceFile.class.getClassLoader(), new Class<?>[]{DeviceFile.class}, (_, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("write");
                return (int) ((MemorySegment) arguments[0]).byteSize() - missing;
            });

    static Stream<Consumer<DeviceFile>> commands() {
        return Stream.of(
                file -> Accept.execute(file, 1, 2, ConnectionParameters.DEFAULT),
                file -> BindAddress.execute(file, 1, ADDRESS),
                file -> Connect.execute(file, 1, ConnectionParameters.DEFAULT),
                file -> CreateIdentifier.execute(file, 1, PortSpace.TCP, QueuePairType.RC),
                file -> DestroyIdentifier.execute(file, 1),
                file -> Disconnect.execute(file, 1),
                file -> InitQueuePairAttributes.execute(file, 1, QueuePairState.INIT),
                file -> JoinMulticast.execute(file, 1, 2, ADDRESS, false),
                file -> LeaveMulticast.execute(file, 1),
                file -> Listen.execute(file, 1, 2),
                file -> MigrateIdentifier.execute(file, 1, 2),
                file -> Notify.execute(file, 1, 2),
                file -> Reject.execute(file, 1, 28, PrivateData.NONE),
                file -> ResolveAddress.execute(file, 1, null, ADDRESS, 2000),
                file -> ResolveRoute.execute(file, 1, 2000),
                file -> SetOption.execute(file, 1, 2, 3),
                file -> WriteEvent.execute(file, 1, 2, 3));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void areErrors(Consumer<DeviceFile> command) {
        assertThatCode(() -> command.accept(file)).doesNotThrowAnyException();
        for (int bytes : new int[]{1, -1}) {
            missing = bytes;
            assertThatThrownBy(() -> command.accept(file))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO));
        }
    }
}

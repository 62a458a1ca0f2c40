// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.Recording;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The requests of all commands, and the results that they make of a response of small numbers, are those of
/// `commands.txt` ([Recording]). The kernel accepts a whole command or nothing.
class CmCommandsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/abi/cm/commands.txt");
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 7471);

    private final List<String> requests = new ArrayList<>();
    private int missing;
    private final DeviceFile file = new KernelSide(KernelSide.CONNECTION_MANAGER) {
        @Override
        public int write(MemorySegment command) {
            return super.write(command) - missing;
        }

        @Override
        public void close() {
            throw new AssertionError();
        }
    }.answer(call -> {
        requests.add(answered(call));
        return 0;
    });

    @Test
    void aListenerThatFailsLeavesNoFileOpen() {
        var opened = new KernelSide(KernelSide.CONNECTION_MANAGER);
        var failure = new IllegalArgumentException("the trace is invalid");
        assertThatThrownBy(() -> CmDevice.attach(List.of(_ -> {
            throw failure;
        }), opened)).isSameAs(failure);
        assertThat(opened.isClosed()).isTrue();
    }

    static List<Function<DeviceFile, @Nullable Object>> commands() {
        var parameters = new ConnectionParameters(0x123456, PrivateData.of("abc"), 3, 4, true, 5, 6, true);
        return List.of(
                file -> nothing(() -> Accept.execute(file, 1, 2, parameters)),
                file -> nothing(() -> Accept.confirm(file, 1)),
                file -> nothing(() -> BindAddress.execute(file, 1, ADDRESS)),
                file -> nothing(() -> Connect.execute(file, 1, parameters)),
                file -> CreateIdentifier.execute(file, 0x123456789L, PortSpace.UDP, QueuePairType.UD),
                file -> DestroyIdentifier.execute(file, 1),
                file -> nothing(() -> Disconnect.execute(file, 1)),
                GetEvent::execute,
                file -> InitQueuePairAttributes.execute(file, 1, QueuePairState.RTR),
                file -> JoinMulticast.execute(file, 1, 2, ADDRESS, false),
                file -> JoinMulticast.execute(file, 1, 2, new InetSocketAddress("ff05::17", 0), true),
                file -> LeaveMulticast.execute(file, 1),
                file -> nothing(() -> Listen.execute(file, 1, 2)),
                file -> MigrateIdentifier.execute(file, 1, 2),
                file -> nothing(() -> Notify.execute(file, 1, 2)),
                file -> QueryAddresses.execute(file, 1),
                file -> QueryGids.execute(file, 1),
                file -> QueryPaths.execute(file, 1),
                file -> nothing(() -> Reject.execute(file, 1, 28, PrivateData.of("no"))),
                file -> nothing(() -> ResolveAddress.execute(file, 1, null, ADDRESS, 2000)),
                file -> nothing(() -> ResolveAddress.execute(file, 1, ADDRESS, ADDRESS, 2000)),
                file -> nothing(() -> ResolveRoute.execute(file, 1, 2000)),
                file -> nothing(() -> SetOption.execute(file, 1, 2, (byte) 3)),
                file -> nothing(() -> SetOption.execute(file, 1, 2, 4)),
                file -> nothing(() -> WriteEvent.execute(file, 1, 2, 3)));
    }

    private static @Nullable Object nothing(Runnable command) {
        command.run();
        return null;
    }

    /// Writes a response, and describes the request by its fields other than 0.
    private static String answered(KernelCall call) {
        CView request = call.request();
        var text = new StringBuilder(
                call.name() + " in=" + call.request.byteSize() + " out=" + call.response.byteSize());
        for (CStruct.Field field : request.struct().fields()) {
            String value = field.path().matches("response|optval") ? "address" : value(request, field);
            if (!value.matches("0*")) {
                text.append(" ").append(field.path()).append("=").append(value);
            }
        }
        for (int i = 0; i < call.response.byteSize(); i += Integer.BYTES) {
            call.response.set(ValueLayout.JAVA_BYTE, i, (byte) (1 + i / Integer.BYTES % 5));
        }
        return text.toString();
    }

    /// Returns a number, or the bytes of an array without the zeros at its end. Structs are shown by their fields.
    private static String value(CView view, CStruct.Field field) {
        if (field.isNumber()) {
            return Long.toString(view.get(field.path()));
        }
        boolean isStruct = view.struct()
                .fields()
                .stream()
                .anyMatch(part -> part.path().startsWith(field.path() + "."));
        return isStruct
                ? ""
                : HexFormat.of()
                        .formatHex(view.slice(field.path()).toArray(ValueLayout.JAVA_BYTE))
                        .replaceFirst("(00)+$", "");
    }

    @Test
    void areThoseRecorded() throws IOException {
        var lines = new ArrayList<String>();
        for (var command : commands()) {
            requests.clear();
            String result;
            try {
                result = String.valueOf(command.apply(file));
            } catch (RuntimeException e) {
                result = e.toString();
            }
            lines.addAll(requests);
            lines.add("    " + result);
        }
        Recording.compare(FILE, lines);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void areNotAcceptedPartly(Function<DeviceFile, @Nullable Object> command) {
        for (int bytes : new int[]{1, -1}) {
            missing = bytes;
            assertThatThrownBy(() -> command.apply(file))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO));
        }
    }

    @Test
    void eventsAreFoundByTheirNumbers() {
        for (CmEventCode code : CmEventCode.values()) {
            assertThat(CmEventCode.of(code.number())).contains(code);
        }
        assertThat(CmEventCode.of(-1)).isEmpty();
        assertThat(CmEventCode.of(99)).isEmpty();
    }
}

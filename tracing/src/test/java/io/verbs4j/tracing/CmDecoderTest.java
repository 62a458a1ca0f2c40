// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Decodes commands of the connection manager whose parts depend on other commands or on their own fields.
class CmDecoderTest {
    private final TracingDeviceFile.Writes writes = CmDecoder.ofOneFile();
    private final List<DecodedCommand> commands = new ArrayList<>();
    private final Arena arena = Arena.ofAuto();

    private final DeviceFile file = (DeviceFile) Proxy.newProxyInstance(
            DeviceFile.class.getClassLoader(), new Class<?>[]{DeviceFile.class}, (_, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("write");
                MemorySegment command = (MemorySegment) arguments[0];
                decode(command);
                return (int) command.byteSize();
            });

    private void decode(MemorySegment command) {
        DecodedCommand decoded = writes.decode(new ObjectNames("rdma_cm"), DriverAbi.NONE, command);
        decoded.finish(0);
        commands.add(decoded);
    }

    /// Decodes a read of an event: `struct rdma_ucm_cmd_hdr`, and the address of the `struct rdma_ucm_event_resp`.
    private void event(long uid, int number) {
        MemorySegment answer = arena.allocate(GetEvent.RESPONSE.size(), 8);
        answer.set(JAVA_LONG, 0, uid);
        answer.set(JAVA_INT, 12, number);
        MemorySegment command = arena.allocate(16, 8);
        command.set(JAVA_INT, 0, GetEvent.COMMAND.number());
        command.set(JAVA_SHORT, 4, (short) 8);
        command.set(JAVA_SHORT, 6, (short) answer.byteSize());
        command.set(JAVA_LONG, 8, answer.address());
        decode(command);
    }

    /// As in the kernel (`ucma_create_uevent`, ucma.c).
    @ParameterizedTest
    @EnumSource
    void parametersOfAnEventDependOnThePortSpace(CmEventCode code) {
        for (PortSpace space : PortSpace.values()) {
            long uid = 1L << 40 | space.value();
            CreateIdentifier.execute(file, uid, space, QueuePairType.RC);
            event(uid, code.number());
            boolean datagram = space == PortSpace.UDP || code == CmEventCode.MULTICAST_JOIN
                    || code == CmEventCode.MULTICAST_ERROR;
            TracePart answer = commands.getLast().parts.getLast();
            assertThat(answer.isExplained()).isTrue();
            assertThat(answer.fields()).extracting(TraceField::path)
                    .anyMatch(path -> path.startsWith(datagram ? "param.ud." : "param.conn."))
                    .noneMatch(path -> path.startsWith(datagram ? "param.conn." : "param.ud."));
        }
    }

    @Test
    void valuesOfOptionsAreShown() {
        SetOption.execute(file, 1, 0, (byte) 200);
        SetOption.execute(file, 1, 1, 70_000);
        assertThat(commands).extracting(command -> command.parts.getLast())
                .allSatisfy(part -> assertThat(part.title()).isEqualTo("*optval"))
                .extracting(part -> part.fields().getFirst().path() + "=" + part.fields().getFirst().text())
                .containsExactly("value=200", "value=70000");
    }
}

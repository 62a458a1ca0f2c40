// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.cm.QueryAddresses;
import io.verbs4j.abi.cm.QueryPaths;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.os.NativeBytes;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A command of the connection manager, sent by `write()` on `/dev/infiniband/rdma_cm`. One buffer contains the header
/// and the request. The request contains the address of the answer.
final class CmDecoder extends DecodedCommand {
    /// The device's name in traces.
    static final String DEVICE = "rdma_cm";

    private final @Nullable RdmaUcmCmd command;
    private final long answer;
    private final int room;
    /// Port spaces of identifiers, by the ids in events. The parameters of an event depend on the port space.
    private final Map<Long, Long> spaces;

    private CmDecoder(ObjectNames names, DriverAbi driver, MemorySegment memory, Map<Long, Long> spaces) {
        super(names, driver);
        this.spaces = spaces;
        byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
        int head = RdmaUcmCmdHdr.STRUCT.size();
        var direction = TracePart.Direction.TO_KERNEL;
        part("head", RdmaUcmCmdHdr.STRUCT, direction, memory.address(), Arrays.copyOf(bytes, head));
        command = CommandCatalogue.connectionManager((int) given("cmd")).orElse(null);
        room = (int) given("out");
        arguments.clear();
        part("request", command == null ? null : command.request(), direction, memory.address() + head,
                Arrays.copyOfRange(bytes, head, bytes.length));
        answer = room == 0 ? 0 : given("response");
        if (command == SetOption.COMMAND) {
            option();
        }
    }

    /// Returns a decoder for the commands of one open file, which tracks its identifiers.
    static TracingDeviceFile.Writes ofOneFile() {
        Map<Long, Long> spaces = new ConcurrentHashMap<>();
        return (names, driver, memory) -> new CmDecoder(names, driver, memory, spaces);
    }

    /// Decodes the value of an option: a byte or a number. The request contains the value's address.
    private void option() {
        int size = (int) given("optlen");
        byte[] value = NativeBytes.copy(given("optval"), size);
        PartBuilder part = builder("*optval", TracePart.Direction.TO_KERNEL, given("optval"), value);
        if (size == Byte.BYTES || size == Integer.BYTES) {
            long number = StructDecoder.number(value, 0, size, false);
            part.number("value", Long.toString(number), size);
        } else {
            part.data("value", size, "the option's value");
        }
        add(part);
    }

    @Override
    boolean isIdle(int result) {
        return command == GetEvent.COMMAND && result == -Errno.EAGAIN;
    }

    @Override
    void finish(int result) {
        if (result < 0 || command == null) {
            return;
        }
        if (answer != 0) {
            byte[] bytes = NativeBytes.copy(answer, room);
            PartBuilder part = builder("answer", TracePart.Direction.FROM_KERNEL, answer, bytes);
            if (command == GetEvent.COMMAND) {
                part.struct(GetEvent.RESPONSE, Map.of("param", parametersOf(bytes)));
            } else if (command == QueryAddresses.COMMAND) {
                query(part, bytes);
            } else {
                command.response().ifPresent(struct -> part.struct(struct, Map.of()));
            }
            add(part);
        }
        if (command == CreateIdentifier.COMMAND) {
            spaces.put(given("uid"), given("ps"));
        }
    }

    private String parametersOf(byte[] event) {
        CStruct struct = GetEvent.RESPONSE;
        long code = number(event, struct.field("event"));
        boolean group = code == CmEventCode.MULTICAST_JOIN.number() || code == CmEventCode.MULTICAST_ERROR.number();
        long space = spaces.getOrDefault(number(event, struct.field("uid")), 0L);
        return group || space == PortSpace.UDP.value() ? "ud" : "conn";
    }

    private static long number(byte[] bytes, CStruct.Field field) {
        return StructDecoder.number(bytes, (int) field.offset(), (int) field.layout().byteSize(), false);
    }

    private void query(PartBuilder part, byte[] bytes) {
        if (given("option") != QueryPaths.PATHS) {
            part.struct(QueryAddresses.RESPONSE, Map.of());
            return;
        }
        int paths = (int) number(bytes, QueryPaths.RESPONSE.field("num_paths"));
        part.struct(QueryPaths.RESPONSE, Map.of())
                .array("path_data", QueryPaths.RECORD, paths)
                .room("room for more paths");
    }

    @Override
    @Nullable
    CommandSpecification verb() {
        return command == null ? null : CommandCatalogue.of(command).orElse(null);
    }

    @Override
    String command() {
        return command == null ? "?" : command.cName();
    }

    @Override
    String transport() {
        return "write";
    }
}

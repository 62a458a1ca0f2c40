// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.os.NativeBytes;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes a command of the older interface, sent by `write()`. One buffer contains headers, request and the driver's
/// request. The request contains the address of the answer.
final class WriteDecoder extends DecodedCommand {
    private final @Nullable IbUserVerbsCmd command;
    private final long answer;
    private final int coreAnswer;
    private final int driverAnswer;

    WriteDecoder(ObjectNames names, DriverAbi driver, MemorySegment memory) {
        super(names, driver);
        byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
        long address = memory.address();
        var direction = TracePart.Direction.TO_KERNEL;
        int first = IbUverbsCmdHdr.STRUCT.size();
        part("head", IbUverbsCmdHdr.STRUCT, direction, address, Arrays.copyOf(bytes, first));
        command = CommandCatalogue.write((int) given("command")).orElse(null);
        int inWords = (int) given("in_words");
        int outWords = (int) given("out_words");
        arguments.clear();
        int request = first;
        int core;
        if (command != null && command.isExtended()) {
            request += IbUverbsExCmdHdr.STRUCT.size();
            part(
                    "second head",
                    IbUverbsExCmdHdr.STRUCT,
                    direction,
                    address + first,
                    Arrays.copyOfRange(bytes, first, request));
            arguments.clear();
            core = inWords * Long.BYTES;
            answer = given("response");
            coreAnswer = outWords * Long.BYTES;
            driverAnswer = (int) given("provider_out_words") * Long.BYTES;
        } else {
            core = command == null
                    ? bytes.length - first
                    : Math.min(command.request().size(), bytes.length - first);
            int all = outWords * Integer.BYTES;
            coreAnswer = Math.min(all,
                    command == null ? all : command.response().map(CStruct::size).orElse(0));
            driverAnswer = all - coreAnswer;
            answer = coreAnswer == 0 ? 0 : StructDecoder.number(bytes, first, Long.BYTES, false);
        }
        if (core > 0) {
            CStruct struct = command == null ? null : command.request();
            part("request", struct, direction, address + request, Arrays.copyOfRange(bytes, request, request + core));
        }
        int behind = request + core;
        if (behind < bytes.length) {
            part(
                    "driver's request",
                    command == null ? null : driver.request(CommandCatalogue.of(command)).orElse(null),
                    direction,
                    address + behind,
                    Arrays.copyOfRange(bytes, behind, bytes.length));
        }
    }

    @Override
    void finish(int result) {
        if (result < 0 || answer == 0 || command == null) {
            return;
        }
        var direction = TracePart.Direction.FROM_KERNEL;
        if (coreAnswer > 0) {
            part("answer", command.response().orElse(null), direction, answer,
                    NativeBytes.copy(answer, coreAnswer));
        }
        if (driverAnswer > 0) {
            long address = answer + coreAnswer;
            part(
                    "driver's answer",
                    driver.response(CommandCatalogue.of(command)).orElse(null),
                    direction,
                    address,
                    NativeBytes.copy(address, driverAnswer));
        }
        followPointers();
    }

    @Override
    @Nullable
    CommandSpecification verb() {
        return command == null ? null : CommandCatalogue.of(command);
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

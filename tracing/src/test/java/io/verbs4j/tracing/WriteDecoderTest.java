// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsCompEventDesc;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Splits each command of the older interface into headers, request, response and the driver's parts, and compares
/// their addresses. The test builds the commands by the kernel's rules (drivers/infiniband/core/uverbs_main.c,
/// `ib_uverbs_write`).
class WriteDecoderTest {
    /// These two structs of eight bytes each take the place of a driver's structs.
    private static final CStruct OF_REQUEST = IbUverbsCompEventDesc.STRUCT;
    private static final CStruct OF_ANSWER = GetEvent.REQUEST;
    private static final int ADDED = 8;

    private final Arena arena = Arena.ofAuto();

    private static String shown(String title, CStruct struct, TracePart.Direction direction, long address,
            MemorySegment bytes) {
        return title + " " + struct.name() + " " + direction + " " + Long.toHexString(address) + " "
                + HexFormat.of().formatHex(bytes.toArray(JAVA_BYTE));
    }

    private static int rounded(int bytes) {
        return (bytes + 7) / 8 * 8;
    }

    private static DriverAbi driver(CommandSpecification verb, boolean adds) {
        return adds
                ? new DriverAbi("", List.of(OF_REQUEST, OF_ANSWER), Map.of(verb, OF_REQUEST), Map.of(verb, OF_ANSWER),
                        List.of(), Map.of())
                : DriverAbi.NONE;
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 0", "true, -22"})
    void everyCommandIsCutIntoItsParts(boolean adds, int result) {
        int answers = 0;
        for (IbUserVerbsCmd command : CommandCatalogue.writes()) {
            int head = command.isExtended() ? 24 : 8;
            int core = command.isExtended() ? rounded(command.request().size()) : command.request().size();
            int added = adds ? ADDED : 0;
            int answerBytes = command.response().map(CStruct::size).orElse(0);
            int coreAnswer = command.isExtended() ? rounded(answerBytes) : answerBytes;
            int addedAnswer = answerBytes == 0 ? 0 : added;
            MemorySegment answer = arena.allocate(coreAnswer + ADDED, 8);
            for (int i = 0; i < answer.byteSize(); i++) {
                answer.set(JAVA_BYTE, i, (byte) (i + 1));
            }
            MemorySegment memory = arena.allocate(head + core + added, 8);
            memory.set(JAVA_INT, 0, command.command());
            if (command.isExtended()) {
                memory.set(JAVA_SHORT, 4, (short) (core / 8));
                memory.set(JAVA_SHORT, 6, (short) (coreAnswer / 8));
                memory.set(JAVA_LONG, 8, answer.address());
                memory.set(JAVA_SHORT, 16, (short) (added / 8));
                memory.set(JAVA_SHORT, 18, (short) (addedAnswer / 8));
            } else {
                memory.set(JAVA_SHORT, 4, (short) (memory.byteSize() / 4));
                memory.set(JAVA_SHORT, 6, (short) ((coreAnswer + addedAnswer) / 4));
            }
            for (int i = head; i < memory.byteSize(); i++) {
                memory.set(JAVA_BYTE, i, (byte) -i);
            }
            if (answerBytes > 0 && !command.isExtended()) {
                memory.set(JAVA_LONG, head, answer.address());
            }
            var verb = CommandCatalogue.of(command);
            var decoder = new WriteDecoder(new ObjectNames("rxe0"), driver(verb, adds), memory);
            decoder.finish(result);

            var expected = new ArrayList<String>();
            long at = memory.address();
            var to = TracePart.Direction.TO_KERNEL;
            var from = TracePart.Direction.FROM_KERNEL;
            expected.add(shown("head", IbUverbsCmdHdr.STRUCT, to, at, memory.asSlice(0, 8)));
            if (command.isExtended()) {
                expected.add(shown("second head", IbUverbsExCmdHdr.STRUCT, to, at + 8,
                        memory.asSlice(8, 16)));
            }
            if (core > 0) {
                expected.add(shown("request", command.request(), to, at + head, memory.asSlice(head, core)));
            }
            if (adds) {
                expected.add(shown("driver's request", OF_REQUEST, to, at + head + core,
                        memory.asSlice(head + core, ADDED)));
            }
            if (coreAnswer > 0 && result == 0) {
                expected.add(shown("answer", command.response().orElseThrow(), from, answer.address(),
                        answer.asSlice(0, coreAnswer)));
                answers++;
            }
            if (addedAnswer > 0 && result == 0) {
                expected.add(shown("driver's answer", OF_ANSWER, from, answer.address() + coreAnswer,
                        answer.asSlice(coreAnswer, ADDED)));
            }
            assertThat(decoder.parts.stream()
                    .map(part -> part.title() + " " + part.struct() + " " + part.direction() + " "
                            + Long.toHexString(part.address()) + " " + HexFormat.of().formatHex(part.bytes())))
                    .as(command.cName())
                    .isEqualTo(expected);
            assertThat(decoder.command()).isEqualTo(command.cName());
            assertThat(decoder.verb()).isSameAs(verb);
            assertThat(decoder.arguments).as(command.cName())
                    .noneMatch(text -> text.startsWith("in_words=") || text.startsWith("provider_in_words="));
        }
        assertThat(answers).isEqualTo(result == 0 ? CommandCatalogue.writes()
                .stream()
                .filter(command -> command.response().isPresent())
                .count() : 0);
    }
}

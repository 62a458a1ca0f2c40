// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares the outputs of traces: the text at each level, each option of the system property, event files and unknown
/// commands. A failing sink must end only the trace. Decoded structs of any length must have the values that [CStruct]
/// reads.
class TraceOutputsTest {
    private static final TraceSubject COMMAND = new TraceSubject.Command(Map.of(), Map.of(), false);

    @TempDir private Path folder;

    private static TraceEntry entry(long duration, String arguments, String outcome, long result, String explanation,
            TracePart... parts) {
        return new TraceEntry(1, COMMAND, 1_500_000, duration, "main", "rxe0", "create it",
                "IB_USER_VERBS_CMD_CREATE_QP", "write", arguments, outcome, result, explanation, List.of(parts));
    }

    private static String text(TraceLevel level, TraceEntry entry) {
        var out = new StringWriter();
        new TextTrace(out, level).accept(entry);
        return out.toString();
    }

    @Test
    void aLineShowsArgumentsResultAndDuration() {
        assertThat(text(TraceLevel.CALLS, entry(0, "", "", 7, "")))
                .isEqualTo("      1.500 ms  rxe0  create it  CREATE_QP = 7\n");
        assertThat(text(TraceLevel.CALLS, entry(2_000, "a=1", "qp#1", 0, "")))
                .isEqualTo("      1.500 ms  rxe0  create it  CREATE_QP(a=1) = qp#1  [write, 0.002 ms]\n");
        assertThat(text(TraceLevel.CALLS, entry(0, "a=1", "qp#1", -Errno.EINVAL, "it is wrong")))
                .isEqualTo("      1.500 ms  rxe0  create it  CREATE_QP(a=1) = " + Errno.describe(Errno.EINVAL)
                        + "\n                 why: it is wrong\n");
        var question =
                new TraceEntry(1, new TraceSubject.Command(Map.of(), Map.of(), true), 0, 0, "main", "rxe0", "ask",
                        "X", "ioctl", "", "", -Errno.ENOTTY, "it lacks it", List.of());
        assertThat(text(TraceLevel.CALLS, question)).endsWith("\n            question: it lacks it\n");
        assertThat(List.of(question.isQuestion(), question.failed())).containsExactly(true, false);
        String most = "x".repeat(220);
        assertThat(text(TraceLevel.CALLS, entry(0, most, most + "y", 0, "")))
                .contains("(" + most + ") = " + most + " …\n");
        assertThat(text(TraceLevel.FIELDS, entry(0, most + "y", "", 0, ""))).contains("(" + most + "y) = 0\n");
    }

    @Test
    void partsShowTheirFieldsAndBytes() {
        var bytes = new byte[56];
        bytes[1] = 0x1f;
        bytes[20] = 3;
        var part = new TracePart("request", "s", TracePart.Direction.TO_KERNEL, 0x7f00, bytes, List.of(
                new TraceField("a", 0, 4, 7936, "7936", "", false),
                new TraceField("b.c", 4, 48, 0, "text", "of the peer", false),
                new TraceField("pad", 52, 4, 0, "0", "", true)));
        var plain = new TracePart("answer", "", TracePart.Direction.FROM_KERNEL, 0, new byte[1], List.of());
        var both = new TracePart("attributes", "", TracePart.Direction.BOTH, 0, new byte[0], List.of());
        assertThat(text(TraceLevel.CALLS, entry(0, "", "", 0, "", part)).lines()).hasSize(1);
        assertThat(text(TraceLevel.FIELDS, entry(0, "", "", 0, "", part, plain, both)).lines().skip(1)).containsExactly(
                "      → request  struct s, 56 bytes at 0x7f00",
                "           +0 a = 7936",
                "           +4 b.c = text                                    of the peer",
                "          +52 pad = 0                                       padding",
                "      ← answer, 1 bytes",
                "      ⇄ attributes, 0 bytes");
        String zeros = "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
        assertThat(text(TraceLevel.BYTES, entry(0, "", "", 0, "", part)).lines().skip(2)).containsExactly(
                "           +0 00 1f 00 00                                      a = 7936",
                "           +4 " + zeros + "  b.c = text                                    of the peer",
                "          +20 03" + zeros.substring(2),
                "          +52 00 00 00 00                                      pad = 0                                "
                        + "       padding");
        assertThat(List.of(part.unexplained(), plain.unexplained(), both.unexplained())).containsExactly(0, 1, 0);
        assertThat(List.of(part.isExplained(), plain.isExplained(), both.isExplained()))
                .containsExactly(true, false, true);
        assertThat(entry(0, "", "", 0, "", part, both).isExplained()).isTrue();
        assertThat(entry(0, "", "", 0, "", part, plain).isExplained()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        0020 | ` `
        007e | ~
        007f | \\u007f
        001f | \\u001f
        0009 | \\t
        000a | \\n
        000d | \\u000d
        0022 | \\"
        005c | \\\\
        002f | /
        00b5 | \\u00b5
        2192 | \\u2192
        """)
    void jsonEscapes(String code, String escaped) {
        String character = String.valueOf((char) Integer.parseInt(code, 16));
        assertThat(JsonText.quoted("a" + character + "b")).isEqualTo("\"a" + escaped + "b\"");
    }

    @Test
    void jsonHasCommasBetweenMembersAndElements() {
        var json = new JsonText();
        json.open('{');
        json.member("a", 1);
        json.member("b", true);
        json.name("c");
        json.open('[');
        json.element("x");
        json.element("[");
        json.open('{');
        json.close('}');
        json.close(']');
        json.name("d");
        json.open('{');
        json.member("e", "f");
        json.close('}');
        json.close('}');
        assertThat(json.toString()).isEqualTo("{\"a\":1,\"b\":true,\"c\":[\"x\",\"[\",{}],\"d\":{\"e\":\"f\"}}");
    }

    /// Emits an entry to the sinks that an option selects.
    private static void trace(String option) {
        Tracer.Trace trace = Objects.requireNonNull(TraceOptions.trace(option));
        trace.output()
                .accept(_ -> entry(0, "", "", 0, "", new TracePart("request", "", TracePart.Direction.TO_KERNEL, 0,
                        new byte[]{5}, List.of(new TraceField("a", 0, 1, 5, "5", "", false)))));
        assertThat(trace.output().failure()).isNull();
    }

    @Test
    void optionsSelectLevelAndFiles() throws IOException {
        Path text = folder.resolve("t");
        Path json = folder.resolve("j");
        assertThat(TraceOptions.trace("")).isNull();
        assertThat(TraceOptions.trace(" ")).isNull();
        trace("text=" + text);
        assertThat(Files.readAllLines(text)).hasSize(1).first().asString().endsWith("CREATE_QP = 0");
        trace(" fields , text=" + text + ",json=" + json);
        assertThat(Files.readAllLines(text)).hasSize(3).last().asString().endsWith("+0 a = 5");
        assertThat(Files.readAllLines(json)).hasSize(1).first().asString().startsWith("{\"number\":1,");
        trace("bytes,text=" + text);
        assertThat(Files.readAllLines(text)).last().asString().matches(" +\\+0 05 +a = 5");
        assertThat(Objects.requireNonNull(TraceOptions.trace("json=" + json)).dataPath()).isFalse();
        assertThat(Objects.requireNonNull(TraceOptions.trace("data-path,json=" + json)).dataPath()).isTrue();
        for (String unknown : List.of("calls,CALLS", "text", "lines")) {
            assertThatThrownBy(() -> TraceOptions.trace(unknown))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "verbs4j.trace is a list of calls, fields, bytes, text=FILE, json=FILE, data-path, not '"
                                    + unknown.substring(unknown.indexOf(',') + 1) + "'");
        }
        for (String kind : List.of("text=", "json=")) {
            assertThatThrownBy(() -> TraceOptions.trace(kind + folder.resolve("no/file")))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot write the trace to " + folder.resolve("no/file"));
        }
    }

    /// An exception of a static initializer would have its reason only once.
    @Test
    void eachUseOfAWrongOptionNamesTheReason() {
        var wrong = TraceOptions.parsed("lines");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(wrong::get)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("data-path, not 'lines'");
        }
        assertThat(TraceOptions.parsed(" ").get()).isNull();
    }

    @Test
    void aFailureOfTheSinkEndsTheTrace() {
        var full = new Writer() {
            @Override
            public void write(char[] characters, int offset, int length) throws IOException {
                throw new IOException("disk full");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        for (TraceSink sink : List.of(new TextTrace(full, TraceLevel.CALLS), new JsonTrace(full))) {
            var failures = new ArrayList<RuntimeException>();
            var numbers = new ArrayList<Long>();
            var output = new TraceOutput(sink, failures::add);
            for (int i = 0; i < 2; i++) {
                output.accept(number -> {
                    numbers.add(number);
                    return entry(0, "", "", 0, "");
                });
            }
            assertThat(numbers).containsExactly(1L);
            assertThat(failures).containsExactly(output.failure()).first().asString().endsWith("disk full");
        }
        var seen = new ArrayList<Long>();
        var output = new TraceOutput(entry -> seen.add(entry.number()), _ -> {});
        for (int i = 0; i < 2; i++) {
            output.accept(
                    number -> new TraceEntry(number, COMMAND, 0, 0, "", "", "", "", "", "", "", 0, "", List.of()));
        }
        assertThat(seen).containsExactly(1L, 2L);
    }

    /// An event file whose results a test chooses.
    private static final class Events implements EventFile {
        int result;
        final List<String> calls = new ArrayList<>();

        @Override
        public int fileDescriptor() {
            return 9;
        }

        @Override
        public boolean isOfSystem() {
            return true;
        }

        @Override
        public int await(long timeoutNanos) {
            return result;
        }

        @Override
        public int read(MemorySegment record) {
            record.set(JAVA_BYTE, 0, (byte) 5);
            return result;
        }

        @Override
        public void wake() {
            calls.add("wake");
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    @Test
    void eventsAreReportedAndIdleWaitsAreNot() {
        var entries = new ArrayList<String>();
        var tracer = new Tracer(new Tracer.Trace(entry -> entries.add(entry.kind() + " " + entry.command() + " "
                + entry.arguments() + " = " + entry.outcome() + " " + entry.result() + " " + entry.explanation()),
                false,
                _ -> {}), "rxe0", DriverAbi.NONE);
        tracer.names().addFile(9, "events");
        var file = new Events();
        var traced = new TracingEventFile(file, tracer);
        traced.wake();
        traced.close();
        assertThat(file.calls).containsExactly("wake", "close");
        assertThat(traced.fileDescriptor()).isEqualTo(9);
        assertThat(traced.isOfSystem()).isTrue();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment completion = arena.allocate(8, 8);
            MemorySegment event = arena.allocate(16, 8);
            for (int idle : new int[]{0, -Errno.EAGAIN, -Errno.EBADF, -Errno.EINTR}) {
                file.result = idle;
                assertThat(traced.await(5)).isEqualTo(idle);
                assertThat(traced.read(completion)).isEqualTo(idle);
            }
            assertThat(entries).isEmpty();
            file.result = 1;
            assertThat(traced.await(5) + traced.await(0) + traced.await(-1)).isEqualTo(3);
            file.result = 8;
            assertThat(traced.read(completion)).isEqualTo(8);
            file.result = 16;
            assertThat(traced.read(event)).isEqualTo(16);
            file.result = -Errno.EIO;
            assertThat(traced.read(event)).isEqualTo(-Errno.EIO);
        }
        String where = "fd 9 (events)";
        assertThat(entries).containsExactly(
                "EVENT poll " + where + " timeout=5 ns = an event is available 1 ",
                "EVENT poll " + where + " timeout=0 ns = an event is available 1 ",
                "EVENT poll " + where + " timeout=no limit = an event is available 1 ",
                "EVENT read " + where + " = cq_handle=0x5 8 ",
                "EVENT read " + where + " = element=0x5 event_type=CQ_ERROR (0) 16 ",
                "EVENT read " + where + " =  -5 " + SystemOperation.AWAIT_EVENT.explain(Errno.EIO));
    }

    @Test
    void anUnknownCommandIsShownAsBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(24, 8);
            memory.set(JAVA_BYTE, 0, (byte) 99);
            memory.set(JAVA_BYTE, 4, (byte) 6);
            memory.set(JAVA_BYTE, 6, (byte) 2);
            memory.set(JAVA_BYTE, 23, (byte) 7);
            var decoder = new WriteDecoder(new ObjectNames("rxe0"), DriverAbi.NONE, memory);
            decoder.finish(0);
            assertThat(List.of(decoder.command(), decoder.transport())).containsExactly("?", "write");
            assertThat(decoder.verb()).isNull();
            assertThat(decoder.parts).extracting(TracePart::title).containsExactly("head", "request");
            assertThat(decoder.parts.getLast().bytes()).hasSize(16).endsWith(7);
            assertThat(decoder.parts.getLast().isExplained()).isFalse();
        }
    }

    @Test
    void structsOfAnyLengthAreDecodedAsCStructReadsThem() {
        var text = new FieldText(new ObjectNames("rxe0"));
        int values = 0;
        for (CStruct struct : CStructs.all()) {
            var bytes = new byte[struct.size() + 3];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (0x91 + 7 * i);
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(struct.layout());
                MemorySegment.copy(bytes, 3, memory, JAVA_BYTE, 0, struct.size());
                var view = struct.view(memory);
                for (int length = 3; length <= bytes.length; length++) {
                    byte[] some = Arrays.copyOf(bytes, length);
                    var taken = new BitSet();
                    for (TraceField field : StructDecoder.decode(struct, some, 3, text, Map.of())) {
                        int end = field.offset() + field.size();
                        if (field.offset() < 3 || end > length || !taken.get(field.offset(), end).isEmpty()) {
                            throw new AssertionError(struct + " of " + length + " bytes: " + field);
                        }
                        taken.set(field.offset(), end);
                        if (field.value() != 0 && field.value() != view.get(field.path())) {
                            throw new AssertionError(struct + ": " + field);
                        }
                        values += field.value() != 0 ? 1 : 0;
                    }
                    if (length == bytes.length) {
                        assertThat(taken.cardinality()).as("%s", struct).isEqualTo(struct.size());
                    }
                }
            }
        }
        assertThat(values).isGreaterThan(5000);
    }
}

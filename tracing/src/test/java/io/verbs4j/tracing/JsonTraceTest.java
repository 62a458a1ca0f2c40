// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The whole line of an entry as JSON, with each member.
class JsonTraceTest {
    private static TraceEntry entry(long result, String explanation, TracePart... parts) {
        return new TraceEntry(3, new TraceSubject.Command(Map.of(), Map.of(), false), 1_500_000, 2_000, "main \"1\"",
                "rxe0", "create it", "CREATE_QP", "write", "a=1", "qp#1", result, explanation, List.of(parts));
    }

    @Test
    void aLineHasEachMember() {
        var out = new StringWriter();
        var trace = new JsonTrace(out);
        trace.accept(entry(7, ""));
        var part = new TracePart("request", "s", TracePart.Direction.TO_KERNEL, 0x7f00, new byte[]{1, -2}, List.of(
                new TraceField("a.b", 0, 1, 1, "one", "of the peer", false),
                new TraceField("pad", 1, 1, -2, "0", "", true)));
        var empty = new TracePart("answer", "", TracePart.Direction.FROM_KERNEL, 0, new byte[0], List.of());
        trace.accept(entry(-Errno.EINVAL, "it\nis wrong", part, empty));

        String first = "{\"number\":3,\"kind\":\"command\",\"startNanos\":1500000,\"durationNanos\":2000,"
                + "\"thread\":\"main \\\"1\\\"\",\"device\":\"rxe0\",\"verb\":\"create it\",\"command\":\"CREATE_QP\","
                + "\"transport\":\"write\",\"arguments\":\"a=1\",\"outcome\":\"qp#1\",";
        assertThat(out.toString().lines()).containsExactly(
                first + "\"result\":7,\"errno\":\"\",\"explanation\":\"\",\"failed\":false,\"parts\":[]}",
                first + "\"result\":-22,\"errno\":\"EINVAL\",\"explanation\":\"it\\nis wrong\",\"failed\":true,"
                        + "\"parts\":[{\"title\":\"request\",\"struct\":\"s\",\"direction\":\"to_kernel\","
                        + "\"address\":\"0x7f00\",\"bytes\":\"01fe\",\"fields\":["
                        + "{\"path\":\"a.b\",\"offset\":0,\"size\":1,\"value\":1,\"text\":\"one\","
                        + "\"meaning\":\"of the peer\",\"padding\":false},"
                        + "{\"path\":\"pad\",\"offset\":1,\"size\":1,\"value\":-2,\"text\":\"0\",\"meaning\":\"\","
                        + "\"padding\":true}]},"
                        + "{\"title\":\"answer\",\"struct\":\"\",\"direction\":\"from_kernel\",\"address\":\"0x0\","
                        + "\"bytes\":\"\",\"fields\":[]}]}");
    }
}

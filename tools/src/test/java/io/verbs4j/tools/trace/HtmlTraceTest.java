// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.capture.WireEntries;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceSubject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HtmlTraceTest {
    private static TraceEntry entry(long start, String arguments) {
        return entry(start, arguments, false, 0);
    }

    private static TraceEntry entry(long start, String arguments, boolean question, long result) {
        return new TraceEntry(
                1,
                new TraceSubject.Command(Map.of(), Map.of(), question),
                start,
                10,
                "main",
                "rxe0",
                "query port",
                "UVERBS_METHOD_QUERY_PORT",
                "ioctl",
                arguments,
                "",
                result,
                "",
                List.of());
    }

    @Test
    void aQuestionThatIsRefusedIsNoFailure() throws IOException {
        var trace = new HtmlTrace();
        trace.accept(entry(10, "asked", true, -28));
        trace.accept(entry(20, "refused", false, -28));
        assertThat(trace.page("t"))
                .containsSubsequence(
                        "\"arguments\":\"asked\"", "\"failed\":false", "\"arguments\":\"refused\"", "\"failed\":true");
    }

    @Test
    void theEntriesAreInTheOrderInWhichTheyBegan() throws IOException {
        var trace = new HtmlTrace();
        trace.accept(entry(20, "second"));
        trace.accept(entry(10, "first"));
        assertThat(trace.page("t")).containsSubsequence("\"arguments\":\"first\"", "\"arguments\":\"second\"");
    }

    @Test
    void nothingInATraceBreaksThePage() throws IOException {
        var trace = new HtmlTrace();
        trace.accept(entry(0, "</script><b>\"\\\n"));
        assertThat(trace.page("<i> & \"")).contains("\\u003c/script>\\u003cb>\\\"\\\\\\n",
                "trace: &lt;i> &amp; &quot;");
    }

    @Test
    void packetsSayWhatTheyBelongTo() throws IOException {
        var trace = new HtmlTrace();
        trace.accept(entry(10, "post"));
        trace.add(new WireEntries.Tied(List.of(entry(20, "packet")), Map.of(2L, List.of(1L))));
        assertThat(trace.page("t")).contains("\"arguments\":\"packet\"", "id=\"ties\">{\"2\":[1]}<");
    }

    @Test
    void thePageNeedsNothingElse() throws IOException {
        assertThat(new HtmlTrace().page("t")).doesNotContainPattern("(src|href)=").doesNotContain("@import", "url(");
    }
}

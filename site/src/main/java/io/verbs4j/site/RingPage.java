// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.rxe.RxeStructs;
import java.util.List;
import java.util.stream.Collectors;

/// An interactive page: the stores of a post, a doorbell, the kernel and a poll, byte by byte. Offsets are those of the
/// provider for rxe.
final class RingPage {
    static final String PAGE = "ring.html";
    static final String SCRIPT = "ring.js";
    static final String TITLE = "Play with a ring";

    private static final List<String> STRUCTS = List.of("rxe_queue_buf", "rxe_send_wqe", "ib_uverbs_wc");

    private RingPage() {}

    static String html() {
        return """
            <h1>Play with a ring</h1>
            <p>A send ring and a completion ring of rxe, with eight slots each, shared by user space and the kernel.
            You are the program; the fourth button runs the kernel. Offsets are those of
            <code>include/uapi/rdma/rdma_user_rxe.h</code>, from the layouts that verbs4j uses.</p>
            <p class="steps">
            <button type="button" data-do="write">1. Write a request</button>
            <button type="button" data-do="publish">2. Publish the index</button>
            <button type="button" data-do="doorbell">3. Ring the doorbell</button>
            <button type="button" data-do="kernel">4. Let the kernel do one</button>
            <button type="button" data-do="poll">5. Poll one completion</button>
            <button type="button" data-do="reset">Start again</button>
            </p>
            <p id="said" role="status" aria-live="polite"></p>
            <h2>The rings</h2>
            <div id="rings"></div>
            <h2>Bytes</h2>
            <p>Click a slot. Used fields are listed beside their bytes.</p>
            <div id="bytes"></div>
            <h2>Exercises</h2>
            <ul>
            <li>Write three requests and publish once: one store publishes a batch, and one doorbell, a single system
            call, suffices.</li>
            <li>Run the kernel before the doorbell: it does not look.</li>
            <li>Post without polling until the send ring is full. It holds seven elements, not eight: with equal
            indices it would look empty.</li>
            <li>Continue to post without polling: the completion ring is full after seven as well, and later
            completions are lost. So a completion queue must hold all outstanding work.</li>
            </ul>
            <script>window.layouts = %s;</script>
            <script src="assets/%s" defer></script>
            """.formatted(
                json(), SCRIPT);
    }

    private static String json() {
        return STRUCTS.stream().map(RingPage::json).collect(Collectors.joining(",\n", "{\n", "\n}"));
    }

    private static String json(String name) {
        CStruct struct = RxeStructs.all()
                .stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("rxe has no struct " + name));
        return "  \"" + name + "\": {\"size\": " + struct.layout().byteSize() + ", \"fields\": "
                + struct.fields()
                        .stream()
                        .filter(CStruct.Field::isNumber)
                        .map(field -> "[\"" + field.path() + "\", " + field.offset() + ", " + field.layout().byteSize()
                                + ", \""
                                + field.meaning().replace("\"", "'") + "\"]")
                        .collect(Collectors.joining(",\n    ", "[\n    ", "]}"));
    }
}

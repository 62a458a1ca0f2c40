// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// One RDMA write from post to completion, executed with the real rings: the changes of each step, as a picture and as
/// bytes.
final class RingLife {
    private static final int SLOTS = 4;
    private static final int START = 3;
    private static final int CELL = 56;
    private static final int ROW = 74;

    /// The rings after an event.
    ///
    /// @param who the acting component
    /// @param what its action
    record Step(String who, String what, int sendProducer, int sendConsumer, String sendSlot, int completionProducer,
            int completionConsumer, String completionSlot) {}

    final List<Step> steps = new ArrayList<>();
    final byte[] sendBytes;
    final byte[] completionBytes;
    /// Bytes of the send's slot that the post has written.
    final boolean[] written;

    private final FakeRing sends;
    private final FakeRing completions;

    RingLife() {
        try (var rings = new Rings()) {
            sends = rings.memory(SLOTS, 8, START);
            completions = rings.memory(SLOTS, 7, 0);
            var limits = new RxeSendLimits(QueuePairType.RC, 3, 48, Rings.MAX_MESSAGE, 0, Rings.DOMAIN);
            var send = new SendRing(sends.memory(), limits, Rings.MTU, () -> 0);
            CompletionRing poll = rings.completion(completions);
            FakeKernel kernel = FakeKernel.sender(sends, completions, 17);

            step("", "both rings are empty", "", "");
            sends.scribble(START, new byte[sends.stride()]);
            post(send);
            byte[] overZeros = sends.bytes(START);
            send.abandon();
            byte[] dirt = new byte[sends.stride()];
            Arrays.fill(dirt, FakeRing.DIRT);
            sends.scribble(START, dirt);
            post(send);
            sendBytes = sends.bytes(START);
            written = new boolean[sends.stride()];
            for (int i = 0; i < written.length; i++) {
                written[i] = overZeros[i] == sendBytes[i];
            }
            step("verbs4j", "post: writes the element into slot 3, still invisible to the kernel", "batch", "");
            send.publish();
            step("verbs4j", "submit: stores producer_index with release; the index wraps to 0", "waits", "");
            step("verbs4j", "doorbell: write() of a POST_SEND command; the kernel reads the ring", "waits", "");
            byte[] progress = sends.bytes(START);
            progress[148] = 1;
            sends.scribble(START, progress);
            step("rxe",
                    "requester: loads producer_index with acquire, sends packets, records its progress in the element",
                    "at work", "");
            kernel.step();
            completionBytes = Arrays.copyOf(completions.bytes(0), 72);
            step("rxe",
                    "completer: stores consumer_index with release, copies a completion, stores producer_index with release",
                    "free", "new");
            poll.begin();
            poll.next(new Completion());
            step("verbs4j", "poll: loads producer_index with acquire, reads the completion", "free", "read");
            poll.end();
            step("verbs4j", "end of the poll: stores consumer_index with release; returns the slot to the kernel",
                    "free",
                    "free");
        }
    }

    private static void post(SendRing ring) {
        ring.begin();
        ring.post(SendRequest.of(0x1122334455667788L, SIGNALED).operation(RDMA_WRITE).remote(0x7f00_0000_2000L, 0x0c0d),
                0x7f00_0000_1000L, 64, 0x0a0b);
    }

    private void step(String who, String what, String sendSlot, String completionSlot) {
        steps.add(new Step(who, what, sends.producer(), sends.consumer(), sendSlot, completions.producer(),
                completions.consumer(), completionSlot));
    }

    /// Both rings at each step.
    String picture() {
        var svg = new Svg(980, 40 + steps.size() * ROW);
        svg.text(130, 20, "send ring (▼ producer, ours; ▲ consumer, rxe's)");
        svg.text(560, 20, "completion ring (▼ producer, rxe's; ▲ consumer, ours)");
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            int y = 58 + i * ROW;
            svg.text(10, y - 18, i + "  " + (step.who.isEmpty() ? "" : step.who + ": ") + step.what);
            ring(svg, 130, y, step.sendProducer, step.sendConsumer, START, step.sendSlot);
            ring(svg, 560, y, step.completionProducer, step.completionConsumer, 0, step.completionSlot);
        }
        return svg.toString();
    }

    private static void ring(Svg svg, int x, int y, int producer, int consumer, int used, String state) {
        for (int slot = 0; slot < SLOTS; slot++) {
            String words = slot == used ? state : "";
            String fill = switch (words) {
                case "batch" -> "#fff2cc";
                case "waits", "new" -> "#cfe8cf";
                case "at work", "read" -> "#cfe0f5";
                default -> "#ffffff";
            };
            svg.box(x + slot * CELL, y, CELL, 26, fill);
            svg.centred(x + slot * CELL + CELL / 2, y + 17, words.isEmpty() ? Integer.toString(slot) : words);
        }
        svg.pointer(x + producer * CELL + 14, y - 10, false, "#2e7d32");
        svg.pointer(x + consumer * CELL + 14, y + 36, true, "#1565c0");
    }

    /// Returns bytes as rows of 16 with their offsets; unwritten bytes are dots.
    String dump(byte[] bytes, boolean[] shown) {
        var text = new StringBuilder();
        for (int row = 0; row < bytes.length; row += 16) {
            var line = new StringBuilder("%3d ".formatted(row));
            boolean some = false;
            for (int i = row; i < Math.min(row + 16, bytes.length); i++) {
                line.append(i % 8 == 0 ? "  " : " ")
                        .append(shown[i] ? HexFormat.of().toHexDigits(bytes[i]) : "··");
                some |= shown[i];
            }
            if (some) {
                text.append(line).append('\n');
            }
        }
        return text.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.RingEvent;
import io.verbs4j.spi.RingListener;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import java.util.ArrayList;

/// Records the ring events of one device, and matches failed completions with their work requests.
final class RingTrace implements RingListener {
    private final Tracer tracer;
    private final OutstandingWork posted = new OutstandingWork();

    RingTrace(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void accept(RingEvent event) {
        switch (event) {
            case RingEvent.Posted posting -> report(posting);
            case RingEvent.Completed completion -> report(completion);
        }
    }

    private void report(RingEvent.Posted event) {
        var parts = new ArrayList<TracePart>();
        var texts = new ArrayList<String>();
        var mistakes = new ArrayList<String>();
        var batch = event.requests()
                .stream()
                .map(request -> TracedWork.of(tracer, request, event.receive()))
                .toList();
        posted.add(event.queuePair(), batch);
        for (TracedWork work : batch) {
            parts.add(work.part());
            texts.add(work.text());
            if (!work.mistake().isEmpty()) {
                mistakes.add(work.text() + ": " + work.mistake());
            }
        }
        String side = event.receive() ? "receive" : "send";
        tracer.ring(
                new TraceSubject.Posted(
                        event.queuePair(),
                        event.receive(),
                        event.requests()
                                .stream()
                                .map(each -> new TraceSubject.Request(each.workRequestId(), each.opcode(),
                                        each.length()))
                                .toList()),
                "post " + side,
                side + " ring of " + tracer.nameOf(event.owner(), event.handle()),
                "producer_index " + event.from() + " → " + event.to() + ", consumer_index " + event.consumer(),
                String.join("; ", texts),
                String.join("; ", mistakes),
                parts);
    }

    private void report(RingEvent.Completed event) {
        var parts = new ArrayList<TracePart>();
        var texts = new ArrayList<String>();
        var mistakes = new ArrayList<String>();
        var completions = new ArrayList<TraceSubject.Completion>();
        for (RingEvent.CompletedRequest each : event.completions()) {
            parts.add(tracer.slot("CQE", TracePart.Direction.FROM_KERNEL, each.slot()));
            CompletionStatus status = CompletionStatus.of(each.status());
            var opcode = new CompletionOpcode(each.opcode());
            completions.add(new TraceSubject.Completion(each.workRequestId(), each.queuePair(), status, opcode));
            boolean success = status.equals(CompletionStatus.SUCCESS);
            String what = "wr_id " + each.workRequestId() + " on qp#" + each.queuePair();
            if (success) {
                posted.succeed(each.queuePair(), opcode.isReceive(), each.workRequestId());
                texts.add(what + " " + opcode + " " + each.length() + " bytes");
            } else {
                texts.add(what + " " + status);
                mistakes.add(what + ": " + status + ": " + explain(each, status));
            }
        }
        tracer.ring(
                new TraceSubject.Completed(completions),
                "poll",
                "completion ring of " + tracer.nameOf(UverbsObject.CQ, event.handle()),
                "consumer_index " + event.from() + " → " + event.to() + ", producer_index " + event.producer(),
                String.join("; ", texts),
                String.join("; ", mistakes),
                parts);
    }

    private String explain(RingEvent.CompletedRequest completed, CompletionStatus status) {
        OutstandingWork.Failed failed = posted.fail(completed.queuePair(), completed.workRequestId());
        if (failed == null) {
            return status.likelyCause();
        }
        String which =
                failed.candidates() == 1 ? "" : "the oldest of " + failed.candidates() + " requests with this wr_id: ";
        return which + failed.work().explain(status);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.spi.RingEvent.PostedRequest;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.WorkRequestOpcode;

/// A work request in its slot when it was posted.
///
/// @param workRequestId the caller's identifier
/// @param text summary of the request
/// @param length bytes of the message, or of the receive's buffers
/// @param receive whether it is a receive
/// @param signaled whether it requests a completion even if it succeeds
/// @param mistake the mistake that will make the request fail; empty if none is known
/// @param part the slot
record TracedWork(
        long workRequestId,
        String text,
        long length,
        boolean receive,
        boolean signaled,
        String mistake,
        TracePart part) {
    static TracedWork of(Tracer tracer, PostedRequest request, boolean receive) {
        long id = request.workRequestId();
        String what = receive ? "receive" : WorkRequestOpcode.name(request.opcode());
        return new TracedWork(
                id,
                "wr_id " + id + " " + what + " " + request.length() + " bytes",
                request.length(),
                receive,
                request.signaled(),
                mistake(tracer, request),
                tracer.slot((receive ? "receive" : "send") + " WQE", TracePart.Direction.TO_KERNEL, request.slot()));
    }

    /// Returns the first buffer that no region of the program covers.
    private static String mistake(Tracer tracer, PostedRequest request) {
        for (int i = 0; i < request.buffers().size(); i++) {
            var buffer = request.buffers().get(i);
            String mistake =
                    tracer.checkBuffer(buffer.address(), buffer.length(), buffer.lkey(), request.written());
            if (!mistake.isEmpty()) {
                return "sge[" + i + "]: " + mistake;
            }
        }
        return request.elements() > request.buffers().size()
                ? "num_sge=" + request.elements() + " is more than the slot holds"
                : "";
    }

    /// Returns the reason for its failure.
    String explain(CompletionStatus status) {
        if (!mistake.isEmpty()) {
            return text + ": " + mistake;
        }
        if (receive && (status.equals(CompletionStatus.LOCAL_QP_OPERATION_ERROR)
                || status.equals(CompletionStatus.LOCAL_LENGTH_ERROR))) {
            return text + ": the message was longer than these " + length + " bytes";
        }
        if (!receive && status.equals(CompletionStatus.REMOTE_OPERATION_ERROR)) {
            return text + ": the peer's receive has fewer than " + length + " bytes, or a buffer without a valid key";
        }
        return text + ": " + status.likelyCause();
    }
}

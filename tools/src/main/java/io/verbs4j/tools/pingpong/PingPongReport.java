// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.types.CompletionStatus;
import java.util.Locale;

/// The common lines of output of all ping-pong programs, in C's form.
final class PingPongReport {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICROSECOND = 1e3;
    private static final int BITS = 8;

    private PingPongReport() {}

    /// Returns a text such as `8192000 bytes in 0.01 seconds = 6553.60 Mbit/sec`, for both directions together.
    static String bandwidth(int size, int iterations, long nanoseconds) {
        long bytes = 2L * size * iterations;
        return String.format(
                Locale.ROOT,
                "%d bytes in %.2f seconds = %.2f Mbit/sec",
                bytes,
                nanoseconds / NANOS_PER_SECOND,
                bytes * BITS / (nanoseconds / NANOS_PER_MICROSECOND));
    }

    /// Returns a text such as `1000 iters in 0.01 seconds = 10.00 usec/iter`.
    static String latency(int iterations, long nanoseconds) {
        return String.format(
                Locale.ROOT,
                "%d iters in %.2f seconds = %.2f usec/iter",
                iterations,
                nanoseconds / NANOS_PER_SECOND,
                nanoseconds / NANOS_PER_MICROSECOND / iterations);
    }

    /// Returns C's text for a failed completion.
    static String failure(CompletionStatus status, long workRequestId) {
        return "Failed status " + text(status.value()) + " (" + status.value() + ") for wr_id " + workRequestId;
    }

    /// Returns the text of `ibv_wc_status_str(3)`.
    private static String text(int status) {
        return switch (status) {
            case 0 -> "success";
            case 1 -> "local length error";
            case 2 -> "local QP operation error";
            case 3 -> "local EE context operation error";
            case 4 -> "local protection error";
            case 5 -> "Work Request Flushed Error";
            case 6 -> "memory management operation error";
            case 7 -> "bad response error";
            case 8 -> "local access error";
            case 9 -> "remote invalid request error";
            case 10 -> "remote access error";
            case 11 -> "remote operation error";
            case 12 -> "transport retry counter exceeded";
            case 13 -> "RNR retry counter exceeded";
            case 14 -> "local RDD violation error";
            case 15 -> "remote invalid RD request";
            case 16 -> "aborted error";
            case 17 -> "invalid EE context number";
            case 18 -> "invalid EE context state";
            case 19 -> "fatal error";
            case 20 -> "response timeout error";
            case 21 -> "general error";
            case 22 -> "TM error";
            case 23 -> "TM software rendezvous";
            default -> "unknown";
        };
    }
}

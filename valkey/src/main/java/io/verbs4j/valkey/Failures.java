// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.time.Duration;

/// The exceptions of connections.
final class Failures {
    private static final String EXCHANGE = "exchange data with the Valkey server";

    private Failures() {}

    static VerbsException protocol(String detail) {
        return new VerbsException(
                EXCHANGE,
                Errno.EPROTO,
                "the server violates the protocol of Valkey over RDMA: " + detail
                        + "; close the connection, and check the server's version");
    }

    static VerbsException failed(CompletionStatus status) {
        return new VerbsException(
                EXCHANGE, Errno.ECONNRESET, "a work request failed: " + status + " (" + status.likelyCause() + ")");
    }

    static VerbsException silent(Duration limit) {
        return new VerbsException(
                EXCHANGE,
                Errno.ETIMEDOUT,
                "the server has sent nothing for " + limit
                        + ", not even a keep-alive: it hangs, runs a long script, or is"
                        + " gone (ValkeyOptions.withKeepAlive sets the limit)");
    }

    static VerbsException ended() {
        return new VerbsException(
                "write to the Valkey server", Errno.ECONNRESET, "the server has closed the connection; connect again");
    }

    static VerbsException unfinished() {
        return new VerbsException(
                EXCHANGE,
                Errno.ECONNRESET,
                "a write ended after part of its bytes, by a timeout or an interrupt; connect again");
    }

    static VerbsException gone(RuntimeException cause) {
        var gone = new VerbsException(EXCHANGE, Errno.ECONNRESET, "the device is gone; connect again");
        gone.initCause(cause);
        return gone;
    }

    static VerbsException noAnnouncement() {
        return new VerbsException(
                "connect to the Valkey server",
                Errno.ETIMEDOUT,
                "the peer accepted the connection but announced no buffer; check that a Valkey server with an RDMA listener runs there");
    }

    static VerbsException timeout(String operation, String detail) {
        return new VerbsException(operation, Errno.ETIMEDOUT, detail);
    }
}

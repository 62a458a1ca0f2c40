// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.host.Host;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.util.Optional;

/// Thrown when the peer rejects a connection.
public final class ConnectionRejectedException extends VerbsException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final transient PrivateData privateData;

    ConnectionRejectedException(String operation, int status, PrivateData privateData) {
        this(operation, status, privateData, CmStatus.rejection(status) + isolation(status));
    }

    ConnectionRejectedException(String operation, int status, PrivateData privateData, String detail) {
        super(operation, status < 0 ? -status : Errno.ECONNREFUSED, detail);
        this.status = status;
        this.privateData = privateData;
    }

    /// Returns an additional cause of a missing listener: simulated devices cannot reach a server in another process.
    private static String isolation(int status) {
        return status == RejectReason.NO_LISTENER.number()
                ? Host.current().isolation().map(reason -> "; " + reason).orElse("")
                : "";
    }

    /// Returns the reason; empty over iWARP, and for an unknown reason.
    public Optional<RejectReason> reason() {
        return RejectReason.of(status);
    }

    /// Returns the event's status: the number of the reason, or over iWARP a negated error number.
    public int status() {
        return status;
    }

    /// Returns the peer's private data.
    public PrivateData privateData() {
        return privateData == null ? PrivateData.NONE : privateData;
    }
}

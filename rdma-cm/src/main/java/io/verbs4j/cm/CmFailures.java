// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Creates exceptions from events that end an attempt.
final class CmFailures {
    private CmFailures() {}

    /// Returns the exception for an event.
    ///
    /// @return null if the event is not a failure
    static @Nullable VerbsException of(String operation, CmEvent event) {
        return switch (event) {
            case CmEvent.AddressFailed e -> failure(operation, e.status(), CmStatus.address(e.status()));
            case CmEvent.RouteFailed e -> failure(operation, e.status(), CmStatus.address(e.status()));
            case CmEvent.Unreachable e when e.status() > 0 ->
                new ConnectionRejectedException(
                        operation, CmStatus.refusedDatagrams(e.status()), PrivateData.NONE);
            case CmEvent.Unreachable e -> failure(operation, e.status(), CmStatus.unreachable(e.status()));
            case CmEvent.ConnectFailed e -> failure(operation, e.status(), "");
            case CmEvent.MulticastFailed e -> failure(operation, e.status(), "the group could not be joined");
            case CmEvent.Rejected e -> new ConnectionRejectedException(operation, e.status(), e.privateData());
            case CmEvent.Disconnected _ ->
                failure(operation, -Errno.ECONNRESET, "the peer ended the connection while it was being established");
            case CmEvent.DeviceRemoved _ -> failure(operation, -Errno.ENODEV, "the RDMA device is being removed");
            default -> null;
        };
    }

    /// Returns the exception for an event, even if the event is not a failure.
    static RuntimeException required(String operation, CmEvent event) {
        VerbsException failure = of(operation, event);
        return failure != null ? failure : new IllegalStateException(operation + ": unexpected event " + event);
    }

    /// Returns the exception for a timeout.
    static VerbsException timeout(String operation, Duration timeout, String hint) {
        return KernelErrors.failure(operation, Errno.ETIMEDOUT,
                "not done after " + TimeUnit.MILLISECONDS.convert(timeout) + " ms; " + hint);
    }

    private static VerbsException failure(String operation, int status, String detail) {
        int errno = status < 0 ? -status : Errno.EPROTO;
        return KernelErrors.failure(operation, errno, detail);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Translates failures into the exceptions and messages that programs expect of TCP.
final class SocketFailures {
    private SocketFailures() {}

    /// A step over a channel.
    interface Step<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /// Runs a step, and throws as a socket does.
    static <T extends @Nullable Object> T asSocket(Step<T> step) throws SocketException {
        try {
            return step.run();
        } catch (ClosedChannelException e) {
            throw with(new SocketException("Socket is closed"), e);
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw with(new SocketException(e.getMessage()), e);
        }
    }

    /// Converts an unchecked exception of a channel's `bind` to the exception that a socket throws.
    static SocketException binding(RuntimeException failure, String text) {
        return with(new SocketException(text), failure);
    }

    /// Returns the exception for a stream that can no longer be read.
    static IOException reading(RuntimeException failure) {
        return of(failure, "Connection reset");
    }

    /// Returns the exception for a stream that can no longer be written.
    static IOException writing(RuntimeException failure) {
        return of(failure, "Broken pipe");
    }

    private static IOException of(RuntimeException failure, String reset) {
        if (failure instanceof VerbsException e && e.errno() == Errno.ECONNRESET) {
            return with(new SocketException(reset), failure);
        }
        return with(new SocketException(failure.getMessage()), failure);
    }

    /// Returns the exception for a failed connect.
    static IOException connecting(RuntimeException failure) {
        if (failure instanceof ConnectionRejectedException) {
            return with(new ConnectException("Connection refused"), failure);
        }
        if (failure instanceof VerbsException e) {
            return with(switch (e.errno()) {
                case Errno.ETIMEDOUT -> new SocketTimeoutException("Connect timed out");
                case Errno.ENETUNREACH, Errno.EHOSTUNREACH, Errno.ENODEV ->
                    new NoRouteToHostException("No route to host over RDMA");
                case Errno.EADDRINUSE -> new BindException("Address already in use over RDMA");
                case Errno.EADDRNOTAVAIL -> new BindException("Cannot assign requested address");
                default -> new ConnectException(e.getMessage());
            }, failure);
        }
        return with(new ConnectException(failure.getMessage()), failure);
    }

    /// Returns whether the port may be in use. The kernel reports EADDRINUSE if another identifier has the same address
    /// and port. It reports EADDRNOTAVAIL if one of the two identifiers has the wildcard address, or if no network
    /// interface has the address.
    static boolean isPortTaken(RuntimeException failure) {
        return failure instanceof VerbsException e
                && (e.errno() == Errno.EADDRINUSE || e.errno() == Errno.EADDRNOTAVAIL);
    }

    /// Returns the exception for an address at which the program cannot listen.
    static IOException binding(RuntimeException failure) {
        if (failure instanceof VerbsException e) {
            return with(switch (e.errno()) {
                case Errno.EADDRINUSE -> new BindException("Address already in use");
                case Errno.EADDRNOTAVAIL -> new BindException("Cannot assign requested address");
                case Errno.EACCES -> new BindException("Permission denied");
                default -> new SocketException(e.getMessage());
            }, failure);
        }
        return with(new SocketException(failure.getMessage()), failure);
    }

    /// Returns an exception with its cause, for exceptions that have no constructor with a cause.
    static <E extends IOException> E with(E exception, Throwable cause) {
        exception.initCause(cause);
        return exception;
    }
}

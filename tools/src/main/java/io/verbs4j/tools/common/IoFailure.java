// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Reasons why a file or a socket cannot be read or written. Java's exceptions of frequent ones contain nothing but the
/// path, or only the words of `strerror`.
public final class IoFailure {
    private IoFailure() {}

    /// Returns the reason, without the path where that is known, and with the cause of an error of the process.
    public static String reason(IOException failure) {
        String reason = switch (failure) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException named when named.getReason() != null -> named.getReason();
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
        String cause = reason.contains("Operation not permitted") ? GeneralCauses.ofFile(Errno.EPERM)
                : reason.contains("Too many open files") ? GeneralCauses.ofFile(Errno.EMFILE)
                        : "";
        return cause.isEmpty() || reason.contains(cause) ? reason : reason + ": " + cause;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Reasons why a file cannot be read or written. Java's exceptions of frequent ones contain nothing but the path.
public final class FileFailure {
    private FileFailure() {}

    /// Returns the reason, without the path where that is known.
    public static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException named when named.getReason() != null -> named.getReason();
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.ResourceLimitException;
import io.verbs4j.types.VerbsException;

/// Converts error numbers to exceptions. Only this class does so.
public final class KernelErrors {
    private KernelErrors() {}

    /// Checks a result of the kernel.
    ///
    /// @param result zero or a count, or a negated errno
    /// @return the result
    /// @throws VerbsException if the result is an error; the message contains the likely cause and remedy
    public static int check(Operation operation, int result) {
        if (result < 0) {
            throw failure(operation, -result);
        }
        return result;
    }

    /// Checks the result of a command that destroys an object. `EIO` is not an error here: it means that the device was
    /// removed and the kernel has destroyed all objects itself (`uverbs_destroy_ufile_hw`,
    /// drivers/infiniband/core/rdma_core.c). Therefore, a program can always close its objects and free their memory.
    ///
    /// @param result zero or a count, or a negated errno
    /// @throws VerbsException if the result is another error
    public static void checkDestroyed(Operation operation, int result) {
        if (result != -Errno.EIO) {
            check(operation, result);
        }
    }

    /// Returns the exception for a failed verb, with the likely cause and remedy from the operation.
    ///
    /// @param errno the error number, positive
    public static VerbsException failure(Operation operation, int errno) {
        return failure(operation, errno, operation.explain(errno));
    }

    /// Returns the exception for a failed verb, with the caller's own explanation.
    ///
    /// @param errno the error number, positive
    /// @param detail likely cause and remedy; may be empty
    public static VerbsException failure(Operation operation, int errno, String detail) {
        return operation.isLimit(errno)
                ? new ResourceLimitException(operation.operation(), errno, detail)
                : failure(operation.operation(), errno, detail);
    }

    /// Returns the exception for a failed operation that is not an [Operation].
    ///
    /// @param operation the attempted operation
    /// @param errno the error number, positive
    /// @param detail likely cause and remedy; may be empty
    public static VerbsException failure(String operation, int errno, String detail) {
        return switch (errno) {
            case Errno.EOPNOTSUPP, Errno.EPROTONOSUPPORT, Errno.ENOTTY ->
                new NotSupportedException(operation, errno, detail);
            case Errno.ENOMEM, Errno.ENOBUFS, Errno.EMFILE, Errno.ENFILE ->
                new ResourceLimitException(operation, errno, detail);
            case Errno.EIO, Errno.ENODEV, Errno.ENXIO -> new DeviceGoneException(operation, errno, detail);
            default -> new VerbsException(operation, errno, detail);
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.Map;

/// An operation of the kernel, with its name in errors and the meanings of its error numbers.
///
/// The causes are hints, because the kernel returns the same number for many causes. We collected them from the
/// kernel's sources, and by provoking each error on rxe.
public interface Operation {
    /// Returns the operation's name in errors, such as `create completion queue`.
    String operation();

    /// Returns the likely cause and remedy by errno, for each errno that has a specific meaning in this operation.
    Map<Integer, String> causes();

    /// Returns the meanings of other errnos, common to all operations of this kind.
    default Map<Integer, String> generalCauses() {
        return GeneralCauses.OF_VERBS;
    }

    /// Returns whether an errno means, for this operation only, that a limit was reached.
    default boolean isLimit(int errno) {
        return false;
    }

    /// Returns the documented cause and remedy as a sentence without a full stop; empty if they are unknown.
    ///
    /// @param errno the error number, positive
    default String documentedCause(int errno) {
        String cause = causes().get(errno);
        return cause != null ? cause : generalCauses().getOrDefault(errno, "");
    }

    /// Returns the likely cause and remedy of an error that has just occurred in this thread, as a sentence without a
    /// full stop. Empty if they are unknown.
    ///
    /// @param errno the error number, positive
    default String explain(int errno) {
        String cause = documentedCause(errno);
        return errno == Errno.EPERM || errno == Errno.ENOSYS ? Privileges.ofThisThread().withFilter(cause) : cause;
    }

    /// Returns the exception for an error number, with the likely cause and remedy.
    ///
    /// @param errno the error number, positive
    default VerbsException failure(int errno) {
        return KernelErrors.failure(this, errno);
    }

    /// Checks a result of the operation.
    ///
    /// @param result zero or a count, or a negated errno
    /// @return the result
    /// @throws VerbsException if the result is an error
    default int check(int result) {
        return KernelErrors.check(this, result);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.Map;

/// What is known of a command of the connection manager.
///
/// @param command its number and structs
/// @param operation what it does, as errors call it
/// @param causes what an error number means for this command, and the remedy; without those that mean the same for all
public record CmSpecification(RdmaUcmCmd command, String operation, Map<Integer, String> causes) {
    private static final Map<Integer, String> GENERAL = Map.ofEntries(
            Map.entry(Errno.ENOENT, "the kernel knows no such identifier: it was destroyed"),
            Map.entry(Errno.EINVAL, "the identifier is not in a state for this, or belongs to another channel"),
            Map.entry(
                    Errno.EACCES,
                    "the process changed its credentials after it opened the channel: the kernel takes no command from it any"
                            + " more"),
            Map.entry(Errno.EIO, "the RDMA device of the identifier was removed"),
            Map.entry(Errno.ENODEV,
                    "the identifier has no RDMA device: resolve an address or bind it to a specific one first"),
            Map.entry(Errno.EBADF, "the channel is closed"),
            Map.entry(Errno.ENOSYS, "this kernel does not have the command or the option"),
            Map.entry(Errno.ENOSPC, "the kernel expects a longer answer struct than this library offers"),
            Map.entry(Errno.EFAULT, "an address in the request is not mapped, or not writable"));

    /// Copies the map.
    public CmSpecification {
        causes = Map.copyOf(causes);
    }

    /// Returns the likely cause and remedy in a sentence, without a full stop; empty if nothing is known.
    ///
    /// @param errno the error number, positive
    public String explain(int errno) {
        String cause = causes.get(errno);
        return cause != null ? cause : GENERAL.getOrDefault(errno, "");
    }

    /// Returns the exception for an error number.
    ///
    /// @param errno the error number, positive
    public VerbsException failure(int errno) {
        return KernelErrors.failure(operation, errno, explain(errno));
    }

    /// Passes a result that is no error.
    ///
    /// @param result zero or a count, or a negated error number
    /// @return the result
    /// @throws VerbsException if it is an error
    public int check(int result) {
        if (result < 0) {
            throw failure(-result);
        }
        return result;
    }
}

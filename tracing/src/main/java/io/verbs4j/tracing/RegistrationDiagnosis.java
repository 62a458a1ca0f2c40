// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;

/// Finds the mistake in a refused registration or reregistration of memory. The kernel ignores the fields of a
/// reregistration that belong to parts which the command does not change.
final class RegistrationDiagnosis {
    private static final long PAGE = 4096;

    /// Access rights for which the kernel pins memory for writing (`ib_access_writable`, include/rdma/ib_verbs.h).
    private static final int WRITING = Access.mask(
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_ATOMIC,
            Access.MEMORY_WINDOW_BIND);

    /// Access rights that every driver supports.
    private static final int BASIC_RIGHTS = WRITING | Access.REMOTE_READ.value();

    /// `IB_UVERBS_ACCESS_OPTIONAL_RANGE`: access rights that kernels ignore if they do not know them.
    private static final int OPTIONAL_RIGHTS = 0x3ff0_0000;

    private final CommandSpecification command;
    private final int errno;
    private final DecodedCommand draft;

    RegistrationDiagnosis(CommandSpecification command, int errno, DecodedCommand draft) {
        this.command = command;
        this.errno = errno;
        this.draft = draft;
    }

    /// Returns whether a command changes a part of a region; true for all commands but reregistrations.
    ///
    /// @param part a flag of [ReregisterMemory]
    static boolean changes(CommandSpecification command, DecodedCommand draft, int part) {
        return command != ReregisterMemory.SPECIFICATION || (draft.given("flags") & part) != 0;
    }

    private boolean changes(int part) {
        return changes(command, draft, part);
    }

    /// Returns the mistake as a sentence without a full stop; empty if it is unknown.
    String find() {
        String range = changes(ReregisterMemory.TRANSLATION) ? range() : "";
        return range.isEmpty() && changes(ReregisterMemory.ACCESS) ? access() : range;
    }

    private String range() {
        long start = draft.given("start");
        long length = draft.given("length");
        if (errno == Errno.EFAULT) {
            return ProcessMemory.fault(start, length, (rights() & WRITING) != 0);
        }
        if (errno != Errno.EINVAL) {
            return "";
        }
        if (length == 0) {
            return "length=0: a region needs at least one byte";
        }
        if (Long.compareUnsigned(start + length, start) < 0) {
            return "start + length wraps around";
        }
        return (start ^ draft.given("hca_va")) % PAGE == 0
                ? ""
                : "hca_va=0x" + Long.toHexString(draft.given("hca_va")) + " has another offset within its page than"
                        + " start=0x" + Long.toHexString(start) + "; the low 12 bits of both must be the same";
    }

    /// Returns the rights with which the kernel pins the memory; 0 if the region keeps rights that are unknown.
    private int rights() {
        if (changes(ReregisterMemory.ACCESS)) {
            return (int) draft.given("access_flags");
        }
        TracedObject region = draft.names.find(UverbsObject.MR, ObjectTracker.handle(UverbsObject.MR, draft));
        return region == null ? 0 : (int) region.fact("access_flags", 0);
    }

    private String access() {
        int access = (int) draft.given("access_flags");
        if (errno != Errno.EINVAL && errno != Errno.EOPNOTSUPP) {
            return "";
        }
        if (errno == Errno.EINVAL) {
            int writes = access & Access.mask(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
            if (writes != 0 && (access & Access.LOCAL_WRITE.value()) == 0) {
                return "access_flags: " + Access.of(writes) + " without LOCAL_WRITE; remote write access needs local"
                        + " write access";
            }
        }
        int strange = access & ~BASIC_RIGHTS & ~OPTIONAL_RIGHTS;
        return strange == 0
                ? ""
                : "access_flags: this driver or kernel does not support "
                        + (Access.of(strange).isEmpty() ? "bits 0x" + Integer.toHexString(strange)
                                : Access.of(strange));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import io.verbs4j.types.Access;
import java.util.ArrayList;

/// Explains the kernel's `EINVAL` for a registration: mistakes in its arguments, as `ib_check_mr_access`,
/// `ib_uverbs_reg_mr` (drivers/infiniband/core) and `ib_umem_get` check them.
final class RefusedRegistration {
    /// The smallest page size, the only one that is known here.
    private static final long PAGE = 4096;

    private static final int KNOWN = Access.mask(Access.values());

    private RefusedRegistration() {}

    static String explain(long address, long length, long iova, int accessFlags) {
        var causes = new ArrayList<String>();
        if (length == 0) {
            causes.add("length=0");
        }
        if (Long.compareUnsigned(address, -length) > 0 && length != 0) {
            causes.add("address=0x" + Long.toHexString(address) + " and length=" + length + " wrap around");
        }
        if ((address ^ iova) % PAGE != 0) {
            causes.add("iova=0x" + Long.toHexString(iova) + " is at another offset in its page than address=0x"
                    + Long.toHexString(address));
        }
        int writing = accessFlags & Access.mask(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        if (writing != 0 && (accessFlags & Access.LOCAL_WRITE.value()) == 0) {
            causes.add(Access.of(writing) + " without local write: add LOCAL_WRITE");
        }
        if ((accessFlags & ~KNOWN) != 0) {
            causes.add("accessFlags has unknown bits: 0x" + Integer.toHexString(accessFlags & ~KNOWN));
        }
        if (!causes.isEmpty()) {
            return String.join("; ", causes);
        }
        int newer = accessFlags
                & ~Access.mask(
                        Access.LOCAL_WRITE,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_READ,
                        Access.REMOTE_ATOMIC,
                        Access.MEMORY_WINDOW_BIND,
                        Access.RELAXED_ORDERING);
        return newer == 0
                ? "the driver refuses address=0x" + Long.toHexString(address) + " length=" + length + " access="
                        + Access.of(accessFlags)
                : "this kernel or driver lacks " + Access.of(newer);
    }
}

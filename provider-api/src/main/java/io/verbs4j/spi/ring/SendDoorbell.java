// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import java.lang.foreign.Arena;
import java.util.function.IntSupplier;

/// The doorbell of a send ring for a driver without hardware: a `POST_SEND` command without work requests. The command
/// makes the kernel process the ring.
///
/// Thread-safe. The memory of the command stays allocated as long as this object is reachable, because a ring may be
/// unmapped while another thread is in the system call.
public final class SendDoorbell implements IntSupplier {
    /// The minimum work request size that `ib_uverbs_post_send` (drivers/infiniband/core/uverbs_cmd.c) accepts: the
    /// size of `struct ib_uverbs_send_wr`. The kernel allocates this number of bytes at each call, but reads none of
    /// them.
    private static final int WORK_REQUEST_SIZE = 56;

    private final DeviceFile file;
    private final PostSendDoorbell command;
    private volatile boolean silent;

    /// Prepares the command.
    ///
    /// @param file the device's file
    /// @param handle the queue pair's handle
    public SendDoorbell(DeviceFile file, int handle) {
        this.file = file;
        this.command = new PostSendDoorbell(handle, WORK_REQUEST_SIZE, Arena.ofAuto());
    }

    /// Rings the doorbell.
    ///
    /// @return 0, or a negated errno. Before RTS, the errno depends on the driver
    /// @throws IllegalStateException if the queue pair is destroyed
    @Override
    public int getAsInt() {
        if (silent) {
            throw new IllegalStateException("the queue pair is destroyed");
        }
        return command.ring(file);
    }

    /// Disables the doorbell, because the kernel may soon use the handle for another object.
    public void silence() {
        silent = true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.queuepair;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.LegacyWrite;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The doorbell of drivers whose send queue is a ring in shared memory. It is write command 28 without any work
/// request, which makes the kernel read the ring. It is always sent by `write()`, the cheapest encoding. It is prepared
/// once; any thread rings it without allocation and without a lock.
///
/// The kernel checks that the queue pair is in RTS, SQD or ERR (`EINVAL`), but not the contents of the ring. One
/// doorbell suffices for many work requests; additional ones are harmless.
public final class PostSendDoorbell {
    /// `struct ib_uverbs_post_send`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_post_send",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("qp_handle"),
            u32("wr_count", "work requests that follow; 0 for a doorbell"),
            u32("sge_count", "buffers that follow; 0 for a doorbell"),
            u32("wqe_size", "bytes of a work request, at least 56; the kernel allocates as many"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_post_send_resp",
            u32("bad_wr", "number of work requests from the first bad one on"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(28, "POST_SEND", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("post send")
            .write(WRITE, "2.6.15")
            .changes(UverbsObject.QP)
            .cause(Errno.EINVAL, "the queue pair is not in RTS, SQD or ERR; posted work requests wait in the ring");

    private final MemorySegment command;

    /// Prepares the doorbell of a queue pair.
    ///
    /// @param handle the queue pair's handle
    /// @param workRequestSize declared size of a work request, at least 56; the kernel allocates as many bytes for each
    ///     doorbell
    /// @param arena contains the command; preferably an automatic one, since another cannot be closed while a thread
    ///     rings
    public PostSendDoorbell(int handle, int workRequestSize, Arena arena) {
        int length = IbUverbsCmdHdr.STRUCT.size() + REQUEST.size();
        int answer = RESPONSE.size();
        // The unused response follows the command.
        MemorySegment memory = arena.allocate((long) length + answer, Long.BYTES);
        command = memory.asSlice(0, length);
        REQUEST
                .view(LegacyWrite.head(command, WRITE, answer))
                .set("response", memory.address() + length)
                .set("qp_handle", handle)
                .set("wqe_size", workRequestSize);
    }

    /// Rings the doorbell.
    ///
    /// @return 0, or a negated errno
    public int ring(DeviceFile file) {
        return LegacyWrite.outcome(file.write(command), command);
    }
}

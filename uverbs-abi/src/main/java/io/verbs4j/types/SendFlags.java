// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Flags of a send work request (`enum ibv_send_flags`, man ibv_post_send(3)), as bits of one `int`, so that the data
/// path handles primitives only.
public final class SendFlags {
    /// `IBV_SEND_FENCE`: wait until all earlier RDMA reads and atomics of this queue are done.
    public static final int FENCE = 1;
    /// `IBV_SEND_SIGNALED`: requests a completion on success (failures always complete).
    public static final int SIGNALED = 1 << 1;
    /// `IBV_SEND_SOLICITED`: the peer's completion raises an event even if its queue is armed for solicited messages
    /// only.
    public static final int SOLICITED = 1 << 2;
    /// `IBV_SEND_INLINE`: the payload is in the work request itself. Set by the inline methods, not by callers.
    public static final int INLINE = 1 << 3;
    /// `IBV_SEND_IP_CSUM`: checksum offload for raw IP; rxe ignores it.
    public static final int IP_CHECKSUM = 1 << 4;

    /// The flags that a caller may set: all but [#INLINE].
    public static final int CALLER_FLAGS = FENCE | SIGNALED | SOLICITED | IP_CHECKSUM;

    private SendFlags() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Flags of a send work request (`enum ibv_send_flags`, man ibv_post_send(3)), as bits of one `int`, so that the data
/// path handles primitives only.
public final class SendFlags {
    /// `IBV_SEND_FENCE`: the work request starts only after all earlier RDMA reads and atomics of the queue have
    /// completed.
    public static final int FENCE = 1;
    /// `IBV_SEND_SIGNALED`: a completion on success. A failed work request always produces a completion.
    public static final int SIGNALED = 1 << 1;
    /// `IBV_SEND_SOLICITED`: the message raises an event at the peer even if the peer has armed its completion queue
    /// for solicited messages only.
    public static final int SOLICITED = 1 << 2;
    /// `IBV_SEND_INLINE`: the payload is in the work request itself. The inline methods set this flag; callers must
    /// not.
    public static final int INLINE = 1 << 3;
    /// `IBV_SEND_IP_CSUM`: checksum offload for raw IP; rxe ignores it.
    public static final int IP_CHECKSUM = 1 << 4;

    /// The flags that a caller may set: all except [#INLINE].
    public static final int CALLER_FLAGS = FENCE | SIGNALED | SOLICITED | IP_CHECKSUM;

    private SendFlags() {}
}

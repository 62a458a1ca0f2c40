// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Optional;

/// The kind of object of an ioctl command (`enum uverbs_default_objects`, include/uapi/rdma/ib_user_ioctl_cmds.h). The
/// C names have the prefix `UVERBS_OBJECT_`.
public enum UverbsObject {
    /// The device itself: commands that belong to no object.
    DEVICE(0),
    /// Protection domain.
    PD(1),
    /// Completion channel.
    COMP_CHANNEL(2),
    /// Completion queue.
    CQ(3),
    /// Queue pair.
    QP(4),
    /// Shared receive queue.
    SRQ(5),
    /// Address handle.
    AH(6),
    /// Memory region.
    MR(7),
    /// Memory window.
    MW(8),
    /// Flow steering rule.
    FLOW(9),
    /// XRC domain.
    XRCD(10),
    /// Indirection table of receive work queues.
    RWQ_IND_TBL(11),
    /// Work queue.
    WQ(12),
    /// Action of a flow steering rule.
    FLOW_ACTION(13),
    /// Device memory.
    DM(14),
    /// Counters.
    COUNTERS(15),
    /// Asynchronous events.
    ASYNC_EVENT(16);

    private final int id;

    UverbsObject(int id) {
        this.id = id;
    }

    /// Returns the number in `object_id`.
    public int id() {
        return id;
    }

    /// Returns the name in the header.
    public String cName() {
        return "UVERBS_OBJECT_" + name();
    }

    /// Returns the object with a number, if known.
    public static Optional<UverbsObject> of(int id) {
        return id >= 0 && id < values().length ? Optional.of(values()[id]) : Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Arrays;
import java.util.Optional;

/// The write commands (`enum ib_uverbs_write_cmds`, include/uapi/rdma/ib_user_verbs.h), the older interface of uverbs: those
/// that verbs4j uses. The C names are these with `IB_USER_VERBS_CMD_` in front; extended ones (`EX_…`) have
/// `IB_USER_VERBS_EX_CMD_`.
///
/// An extended command has the plain one's number, another request struct, and bit 31 set.
public enum IbUserVerbsCmd {
    /// Gets the context of an open file.
    GET_CONTEXT(0),
    /// Attributes of the device.
    QUERY_DEVICE(1),
    /// Attributes of a port.
    QUERY_PORT(2),
    /// Allocates a protection domain.
    ALLOC_PD(3),
    /// Gives a protection domain back.
    DEALLOC_PD(4),
    /// Creates an address handle.
    CREATE_AH(5),
    /// Destroys an address handle.
    DESTROY_AH(8),
    /// Registers memory.
    REG_MR(9),
    /// Changes a memory region.
    REREG_MR(11),
    /// Deregisters memory.
    DEREG_MR(13),
    /// Allocates a memory window.
    ALLOC_MW(14),
    /// Gives a memory window back.
    DEALLOC_MW(16),
    /// Creates a completion channel.
    CREATE_COMP_CHANNEL(17),
    /// Creates a completion queue.
    CREATE_CQ(18),
    /// Changes the size of a completion queue.
    RESIZE_CQ(19),
    /// Destroys a completion queue.
    DESTROY_CQ(20),
    /// Arms a completion queue.
    REQ_NOTIFY_CQ(23),
    /// Creates a queue pair.
    CREATE_QP(24),
    /// Asks for a queue pair's attributes.
    QUERY_QP(25),
    /// Changes a queue pair's attributes.
    MODIFY_QP(26),
    /// Destroys a queue pair.
    DESTROY_QP(27),
    /// Posts sends, or rings the doorbell of a ring that holds them.
    POST_SEND(28),
    /// Joins a multicast group.
    ATTACH_MCAST(30),
    /// Leaves a multicast group.
    DETACH_MCAST(31),
    /// Creates a shared receive queue.
    CREATE_SRQ(32),
    /// Changes a shared receive queue.
    MODIFY_SRQ(33),
    /// Asks for a shared receive queue's attributes.
    QUERY_SRQ(34),
    /// Destroys a shared receive queue.
    DESTROY_SRQ(35),
    /// Attributes of the device, all of them.
    EX_QUERY_DEVICE(QUERY_DEVICE),
    /// Creates a completion queue with flags.
    EX_CREATE_CQ(CREATE_CQ),
    /// Changes a queue pair's attributes, with a driver-specific part.
    EX_MODIFY_QP(MODIFY_QP);

    /// `IB_USER_VERBS_CMD_FLAG_EXTENDED`.
    public static final int EXTENDED = 0x8000_0000;

    private final int number;
    private final boolean extended;

    IbUserVerbsCmd(int number) {
        this.number = number;
        this.extended = false;
    }

    IbUserVerbsCmd(IbUserVerbsCmd plain) {
        this.number = plain.number;
        this.extended = true;
    }

    /// The number without bit 31.
    public int number() {
        return number;
    }

    /// Returns whether it is an extended command.
    public boolean isExtended() {
        return extended;
    }

    /// Returns what travels in `command`: the number, with bit 31 for an extended one.
    public int command() {
        return extended ? number | EXTENDED : number;
    }

    /// The name in the header.
    public String cName() {
        return extended
                ? "IB_USER_VERBS_EX_CMD_" + name().substring("EX_".length())
                : "IB_USER_VERBS_CMD_" + name();
    }

    /// The command of a number with its bit 31, if verbs4j uses it.
    public static Optional<IbUserVerbsCmd> of(int command) {
        return Arrays.stream(values()).filter(value -> value.command() == command).findFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Arrays;
import java.util.Optional;

/// The method of an ioctl command (`enum uverbs_methods_*`, include/uapi/rdma/ib_user_ioctl_cmds.h): the methods that verbs4j
/// calls. A number means something only together with its object. The C names are these with `UVERBS_METHOD_` in front.
///
/// Many verbs have no method of their own and travel as write commands inside [#INVOKE_WRITE].
public enum UverbsMethod {
    /// Carries a write command ([IbUserVerbsCmd]).
    INVOKE_WRITE(UverbsObject.DEVICE, 0),
    /// Attributes of a port.
    QUERY_PORT(UverbsObject.DEVICE, 2),
    /// Gets the context of an open file; one for each.
    GET_CONTEXT(UverbsObject.DEVICE, 3),
    /// All valid entries of all GID tables.
    QUERY_GID_TABLE(UverbsObject.DEVICE, 5),
    /// One entry of a GID table.
    QUERY_GID_ENTRY(UverbsObject.DEVICE, 6),
    /// Gives a protection domain back.
    PD_DESTROY(UverbsObject.PD, 0),
    /// Creates a completion queue.
    CQ_CREATE(UverbsObject.CQ, 0),
    /// Destroys a completion queue.
    CQ_DESTROY(UverbsObject.CQ, 1),
    /// Creates a queue pair.
    QP_CREATE(UverbsObject.QP, 0),
    /// Destroys a queue pair.
    QP_DESTROY(UverbsObject.QP, 1),
    /// Creates a shared receive queue.
    SRQ_CREATE(UverbsObject.SRQ, 0),
    /// Destroys a shared receive queue.
    SRQ_DESTROY(UverbsObject.SRQ, 1),
    /// Destroys an address handle.
    AH_DESTROY(UverbsObject.AH, 0),
    /// Deregisters a memory region.
    MR_DESTROY(UverbsObject.MR, 1),
    /// Advises how on-demand memory will be used.
    ADVISE_MR(UverbsObject.MR, 2),
    /// Asks for keys and range of a memory region.
    QUERY_MR(UverbsObject.MR, 3),
    /// Gives a memory window back.
    MW_DESTROY(UverbsObject.MW, 0),
    /// Gets a file descriptor for asynchronous events.
    ASYNC_EVENT_ALLOC(UverbsObject.ASYNC_EVENT, 0);

    private final UverbsObject object;
    private final int id;

    UverbsMethod(UverbsObject object, int id) {
        this.object = object;
        this.id = id;
    }

    /// The object that the method belongs to.
    public UverbsObject object() {
        return object;
    }

    /// The number in `method_id`.
    public int id() {
        return id;
    }

    /// The name in the header.
    public String cName() {
        return "UVERBS_METHOD_" + name();
    }

    /// The method of an object and a number, if verbs4j calls it.
    public static Optional<UverbsMethod> of(int objectId, int methodId) {
        return Arrays.stream(values())
                .filter(method -> method.object.id() == objectId && method.id == methodId)
                .findFirst();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.QueuePairAttribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Notes which objects come and go, and what becomes of them, from the commands that succeed.
final class ObjectTracker {
    /// Handles that a request may name, and so the objects that the new one is made of.
    private static final Map<String, UverbsObject> USED = Map.of(
            "pd_handle",
            UverbsObject.PD,
            "send_cq_handle",
            UverbsObject.CQ,
            "recv_cq_handle",
            UverbsObject.CQ,
            "srq_handle",
            UverbsObject.SRQ);

    private final ObjectNames names;

    ObjectTracker(ObjectNames names) {
        this.names = names;
    }

    /// Takes note of a command that succeeded.
    ///
    /// @return what it made; may be empty
    String note(Verb verb, DecodedCommand draft) {
        return switch (verb) {
            case ALLOCATE_PROTECTION_DOMAIN -> add(UverbsObject.PD, draft);
            case REGISTER_MEMORY -> add(UverbsObject.MR, draft);
            case ALLOCATE_MEMORY_WINDOW -> add(UverbsObject.MW, draft);
            case CREATE_ADDRESS_HANDLE -> add(UverbsObject.AH, draft);
            case CREATE_COMPLETION_QUEUE -> add(UverbsObject.CQ, draft);
            case CREATE_SHARED_RECEIVE_QUEUE -> add(UverbsObject.SRQ, draft);
            case CREATE_QUEUE_PAIR -> add(UverbsObject.QP, draft);
            case RESIZE_COMPLETION_QUEUE -> offers(names.find(UverbsObject.CQ, handle(UverbsObject.CQ, draft)), draft);
            case MODIFY_SHARED_RECEIVE_QUEUE ->
                offers(names.find(UverbsObject.SRQ, handle(UverbsObject.SRQ, draft)), draft);
            case DEALLOCATE_PROTECTION_DOMAIN -> remove(UverbsObject.PD, draft);
            case DEREGISTER_MEMORY -> remove(UverbsObject.MR, draft);
            case DEALLOCATE_MEMORY_WINDOW -> remove(UverbsObject.MW, draft);
            case DESTROY_ADDRESS_HANDLE -> remove(UverbsObject.AH, draft);
            case DESTROY_COMPLETION_QUEUE -> remove(UverbsObject.CQ, draft);
            case DESTROY_SHARED_RECEIVE_QUEUE -> remove(UverbsObject.SRQ, draft);
            case DESTROY_QUEUE_PAIR -> remove(UverbsObject.QP, draft);
            case CREATE_COMPLETION_CHANNEL -> file("completion channel", draft, "fd");
            case GET_CONTEXT -> {
                draft.answered.forEach(names::addLimit);
                yield draft.hasAnswered("async_fd")
                        ? file("asynchronous events", draft, "async_fd")
                        : draft.hasAnswered("fd_handle") ? file("asynchronous events", draft, "fd_handle") : "";
            }
            case MODIFY_QUEUE_PAIR ->
                (draft.given("attr_mask") & QueuePairAttribute.STATE.bit()) == 0 ? "" : state(draft, draft.given);
            case QUERY_QUEUE_PAIR -> state(draft, draft.answered);
            case QUERY_DEVICE, QUERY_PORT -> {
                draft.answered.forEach(names::addLimit);
                yield "";
            }
            default -> "";
        };
    }

    /// The handle that a command names: an ioctl calls it `handle`.
    static int handle(UverbsObject kind, DecodedCommand draft) {
        Long own = draft.given.get("handle");
        return own != null ? own.intValue() : (int) draft.given(kind.name().toLowerCase(Locale.ROOT) + "_handle");
    }

    private String add(UverbsObject kind, DecodedCommand draft) {
        String field = kind.name().toLowerCase(Locale.ROOT) + "_handle";
        int handle = (int) draft.answered(draft.hasAnswered("handle") ? "handle" : field);
        long number = kind == UverbsObject.QP
                ? draft.answered(draft.hasAnswered("resp_qp_num") ? "resp_qp_num" : "qpn")
                : Integer.toUnsignedLong(handle);
        var facts = new HashMap<>(draft.given);
        facts.putIfAbsent("qp_type", draft.given("type"));
        facts.put("qp_state", 0L);
        facts.put("lkey", draft.answered("lkey"));
        names.add(kind, handle, number, used(kind, draft), facts);
        TracedObject made = names.find(kind, handle);
        offers(made, draft);
        return made == null ? "" : made.name();
    }

    private List<TracedObject> used(UverbsObject kind, DecodedCommand draft) {
        var used = new ArrayList<TracedObject>();
        USED.forEach((field, type) -> {
            Long handle = draft.given.get(field);
            boolean absent = field.equals("srq_handle") && draft.given.containsKey("is_srq")
                    && draft.given("is_srq") == 0;
            TracedObject object = handle == null || type == kind || absent ? null : names.find(type, handle.intValue());
            if (object != null) {
                used.add(object);
            }
        });
        return used;
    }

    private String offers(@Nullable TracedObject owner, DecodedCommand draft) {
        if (owner != null) {
            draft.offers.forEach((offset, what) -> names.addRing(offset, what + " of " + owner.name()));
        }
        return "";
    }

    private String remove(UverbsObject kind, DecodedCommand draft) {
        names.remove(kind, handle(kind, draft));
        return "";
    }

    private String file(String what, DecodedCommand draft, String field) {
        int descriptor = (int) draft.answered(field);
        names.addFile(descriptor, what);
        return names.file(descriptor);
    }

    /// A queue pair's state, as the program set it or the kernel told it.
    private String state(DecodedCommand draft, Map<String, Long> numbers) {
        TracedObject queuePair = names.find(UverbsObject.QP, handle(UverbsObject.QP, draft));
        if (queuePair != null) {
            queuePair.facts().put("qp_state", numbers.getOrDefault("qp_state", 0L));
        }
        return "";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.QueuePairAttribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tracks the objects that commands create, change and destroy, according to their specifications.
final class ObjectTracker {
    /// Handles in requests: the parents of a new object.
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

    /// Returns the object that a command is about to destroy; null if there is none, or it is unknown.
    ///
    /// As soon as the kernel has destroyed the object, another thread may create an object with the same handle.
    @Nullable
    TracedObject destroyedBy(DecodedCommand draft) {
        CommandSpecification command = draft.verb();
        UverbsObject kind = command == null || command.effect() != CommandSpecification.Effect.DESTROYS
                ? null
                : command.object().orElse(null);
        return kind == null ? null : names.find(kind, handle(kind, draft));
    }

    /// Records a successful command.
    ///
    /// @param destroyed the result of [#destroyedBy] before the command
    /// @return the name of the created object; may be empty
    String note(CommandSpecification command, DecodedCommand draft, @Nullable TracedObject destroyed) {
        UverbsObject kind = command.object().orElse(null);
        if (kind == null) {
            return "";
        }
        return switch (command.effect()) {
            case MAKES -> made(kind, draft);
            case DESTROYS -> remove(destroyed);
            case CHANGES -> changed(kind, draft);
            case READS -> read(kind, draft);
        };
    }

    private String made(UverbsObject kind, DecodedCommand draft) {
        return switch (kind) {
            case COMP_CHANNEL -> file("completion channel", draft, "fd");
            case ASYNC_EVENT -> {
                draft.answered.forEach(names::addLimit);
                yield draft.hasAnswered("async_fd")
                        ? file("asynchronous events", draft, "async_fd")
                        : draft.hasAnswered("fd_handle") ? file("asynchronous events", draft, "fd_handle") : "";
            }
            default -> add(kind, draft);
        };
    }

    private String changed(UverbsObject kind, DecodedCommand draft) {
        if (kind == UverbsObject.QP && (draft.given("attr_mask") & QueuePairAttribute.STATE.bit()) != 0) {
            state(draft, draft.given);
        } else if (kind == UverbsObject.MR) {
            region(draft);
        }
        return offers(names.find(kind, handle(kind, draft)), draft);
    }

    /// Records the changed parts of a region, and its local key.
    private void region(DecodedCommand draft) {
        TracedObject region = names.find(UverbsObject.MR, handle(UverbsObject.MR, draft));
        if (region == null) {
            return;
        }
        long changes = draft.given("flags");
        var facts = new HashMap<>(region.facts());
        if ((changes & ReregisterMemory.TRANSLATION) != 0) {
            facts.put("hca_va", draft.given("hca_va"));
            facts.put("length", draft.given("length"));
        }
        if ((changes & ReregisterMemory.ACCESS) != 0) {
            facts.put("access_flags", draft.given("access_flags"));
        }
        facts.put("lkey", draft.answered("lkey"));
        boolean moved = (changes & ReregisterMemory.PROTECTION_DOMAIN) != 0;
        names.add(UverbsObject.MR, region.handle(), region.number(),
                moved ? used(UverbsObject.MR, draft) : region.uses(), facts);
    }

    private String read(UverbsObject kind, DecodedCommand draft) {
        switch (kind) {
            case DEVICE -> draft.answered.forEach(names::addLimit);
            case QP -> state(draft, draft.answered);
            default -> {}
        }
        return "";
    }

    /// Returns the handle in a command; an ioctl calls it `handle`.
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
            boolean absent = field.equals("srq_handle") && !draft.usesSharedReceiveQueue();
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

    private String remove(@Nullable TracedObject destroyed) {
        if (destroyed != null) {
            names.remove(destroyed);
        }
        return "";
    }

    private String file(String what, DecodedCommand draft, String field) {
        int descriptor = (int) draft.answered(field);
        names.addFile(descriptor, what);
        return names.file(descriptor);
    }

    /// Records a queue pair's state, as set by the program or reported by the kernel.
    private void state(DecodedCommand draft, Map<String, Long> numbers) {
        TracedObject queuePair = names.find(UverbsObject.QP, handle(UverbsObject.QP, draft));
        if (queuePair != null) {
            queuePair.facts().put("qp_state", numbers.getOrDefault("qp_state", 0L));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.util.Optional;

/// One way in which a verb reaches the kernel: a method of the ioctl interface, or a write command, which travels inside
/// an ioctl or by `write()`.
///
/// @param verb what is asked for
/// @param cName the method's or command's name in C
/// @param since about the first Linux release that has it; nobody has tried all of them
public record CommandEncoding(Verb verb, String cName, String since) {
    /// That of a method; empty of [UverbsMethod#INVOKE_WRITE], which carries all verbs.
    public static Optional<CommandEncoding> of(UverbsMethod method) {
        return switch (method) {
            case INVOKE_WRITE -> Optional.empty();
            case QUERY_PORT -> of(Verb.QUERY_PORT, method, "5.0");
            case GET_CONTEXT, ASYNC_EVENT_ALLOC -> of(Verb.GET_CONTEXT, method, "5.6");
            case QUERY_GID_TABLE -> of(Verb.QUERY_GID_TABLE, method, "5.10");
            case QUERY_GID_ENTRY -> of(Verb.QUERY_GID_ENTRY, method, "5.10");
            case PD_DESTROY -> of(Verb.DEALLOCATE_PROTECTION_DOMAIN, method, "5.0");
            case CQ_CREATE -> of(Verb.CREATE_COMPLETION_QUEUE, method, "4.14");
            case CQ_DESTROY -> of(Verb.DESTROY_COMPLETION_QUEUE, method, "4.14");
            case QP_CREATE -> of(Verb.CREATE_QUEUE_PAIR, method, "5.8");
            case QP_DESTROY -> of(Verb.DESTROY_QUEUE_PAIR, method, "5.8");
            case SRQ_CREATE -> of(Verb.CREATE_SHARED_RECEIVE_QUEUE, method, "5.8");
            case SRQ_DESTROY -> of(Verb.DESTROY_SHARED_RECEIVE_QUEUE, method, "5.8");
            case AH_DESTROY -> of(Verb.DESTROY_ADDRESS_HANDLE, method, "5.0");
            case MR_DESTROY -> of(Verb.DEREGISTER_MEMORY, method, "5.0");
            case ADVISE_MR -> of(Verb.ADVISE_MEMORY, method, "5.0");
            case QUERY_MR -> of(Verb.QUERY_MEMORY, method, "5.8");
            case MW_DESTROY -> of(Verb.DEALLOCATE_MEMORY_WINDOW, method, "5.0");
        };
    }

    private static Optional<CommandEncoding> of(Verb verb, UverbsMethod method, String since) {
        return Optional.of(new CommandEncoding(verb, method.cName(), since));
    }

    /// That of a write command.
    public static CommandEncoding of(IbUserVerbsCmd command) {
        return switch (command) {
            case GET_CONTEXT -> of(Verb.GET_CONTEXT, command, "2.6.14");
            case QUERY_DEVICE -> of(Verb.QUERY_DEVICE, command, "2.6.14");
            case QUERY_PORT -> of(Verb.QUERY_PORT, command, "2.6.14");
            case ALLOC_PD -> of(Verb.ALLOCATE_PROTECTION_DOMAIN, command, "2.6.14");
            case DEALLOC_PD -> of(Verb.DEALLOCATE_PROTECTION_DOMAIN, command, "2.6.14");
            case CREATE_AH -> of(Verb.CREATE_ADDRESS_HANDLE, command, "2.6.15");
            case DESTROY_AH -> of(Verb.DESTROY_ADDRESS_HANDLE, command, "2.6.15");
            case REG_MR -> of(Verb.REGISTER_MEMORY, command, "2.6.14");
            case REREG_MR -> of(Verb.REREGISTER_MEMORY, command, "3.17");
            case DEREG_MR -> of(Verb.DEREGISTER_MEMORY, command, "2.6.14");
            case ALLOC_MW -> of(Verb.ALLOCATE_MEMORY_WINDOW, command, "3.9");
            case DEALLOC_MW -> of(Verb.DEALLOCATE_MEMORY_WINDOW, command, "3.9");
            case CREATE_COMP_CHANNEL -> of(Verb.CREATE_COMPLETION_CHANNEL, command, "2.6.15");
            case CREATE_CQ -> of(Verb.CREATE_COMPLETION_QUEUE, command, "2.6.14");
            case RESIZE_CQ -> of(Verb.RESIZE_COMPLETION_QUEUE, command, "2.6.17");
            case DESTROY_CQ -> of(Verb.DESTROY_COMPLETION_QUEUE, command, "2.6.14");
            case REQ_NOTIFY_CQ -> of(Verb.REQUEST_NOTIFICATION, command, "2.6.15");
            case CREATE_QP -> of(Verb.CREATE_QUEUE_PAIR, command, "2.6.14");
            case QUERY_QP -> of(Verb.QUERY_QUEUE_PAIR, command, "2.6.17");
            case MODIFY_QP -> of(Verb.MODIFY_QUEUE_PAIR, command, "2.6.14");
            case DESTROY_QP -> of(Verb.DESTROY_QUEUE_PAIR, command, "2.6.14");
            case POST_SEND -> of(Verb.POST_SEND, command, "2.6.15");
            case ATTACH_MCAST -> of(Verb.ATTACH_MULTICAST, command, "2.6.14");
            case DETACH_MCAST -> of(Verb.DETACH_MULTICAST, command, "2.6.14");
            case CREATE_SRQ -> of(Verb.CREATE_SHARED_RECEIVE_QUEUE, command, "2.6.14");
            case MODIFY_SRQ -> of(Verb.MODIFY_SHARED_RECEIVE_QUEUE, command, "2.6.14");
            case QUERY_SRQ -> of(Verb.QUERY_SHARED_RECEIVE_QUEUE, command, "2.6.17");
            case DESTROY_SRQ -> of(Verb.DESTROY_SHARED_RECEIVE_QUEUE, command, "2.6.14");
            case EX_QUERY_DEVICE -> of(Verb.QUERY_DEVICE, command, "4.0");
            case EX_CREATE_CQ -> of(Verb.CREATE_COMPLETION_QUEUE, command, "4.2");
            case EX_MODIFY_QP -> of(Verb.MODIFY_QUEUE_PAIR, command, "4.11");
        };
    }

    private static CommandEncoding of(Verb verb, IbUserVerbsCmd command, String since) {
        return new CommandEncoding(verb, command.cName(), since);
    }
}

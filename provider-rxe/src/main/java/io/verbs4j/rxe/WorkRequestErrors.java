// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;

/// What the rings answer to work requests that must not reach the kernel. Apart from the rings, so that these paths do
/// not weigh on methods that the compiler should inline; each finds out again what exactly was wrong.
final class WorkRequestErrors {
    private WorkRequestErrors() {}

    /// A send, write or read, with `elements` buffers.
    static RuntimeException transfer(SendLimits limits, int opcode, int flags, long length, int elements) {
        if (!SendOpcodes.has(SendOpcodes.transfers(limits.type()), opcode)) {
            return opcode(limits.type(), opcode);
        }
        return common(flags, length, limits.maxMessage(), "the port's longest message", elements, limits);
    }

    /// A datagram, with `elements` buffers.
    static RuntimeException datagram(SendLimits limits, int opcode, int flags, long length, int mtu, int elements) {
        if (!SendOpcodes.has(SendOpcodes.datagrams(limits.type()), opcode)) {
            return opcode(limits.type(), opcode);
        }
        return common(flags, length, mtu, "the port's MTU; rxe would drop it and report success", elements, limits);
    }

    /// An inline payload.
    static RuntimeException inline(SendLimits limits, int set, int opcode, int flags, long longest, int length) {
        if (!SendOpcodes.has(set, opcode)) {
            return SendOpcodes.has(SendOpcodes.transfers(limits.type()), opcode)
                    ? illegal("opcode=" + WorkRequestOpcode.name(opcode) + " carries no payload that could be inline")
                    : opcode(limits.type(), opcode);
        }
        if (badFlags(flags)) {
            return flags(flags);
        }
        if (length < 0 || length > limits.maxInlineData()) {
            return illegal("length=" + length + " is not in 0.." + limits.maxInlineData()
                    + ", the queue pair's room for inline data");
        }
        return illegal("length=" + length + " exceeds " + longest + " bytes, the longest message or datagram");
    }

    /// A range that leaves the source of an inline payload.
    static RuntimeException source(long offset, int length, long bytes) {
        return illegal("offset=" + offset + ", length=" + length + " leave the source of " + bytes + " bytes");
    }

    /// A compare-and-swap or fetch-and-add.
    static RuntimeException atomic(SendLimits limits, int opcode, int flags, long remoteAddress) {
        if (!SendOpcodes.has(SendOpcodes.atomics(limits.type()), opcode)) {
            return opcode(limits.type(), opcode);
        }
        if (badFlags(flags)) {
            return flags(flags);
        }
        return limits.maxScatterGather() == 0
                ? illegal("an atomic needs a buffer for its result, the queue pair has maxScatterGather=0")
                : unaligned(remoteAddress);
    }

    /// An operation without payload of its own.
    static RuntimeException plain(SendLimits limits, int opcode, int flags, boolean transportFits) {
        return transportFits ? flags(flags) : opcode(limits.type(), opcode);
    }

    /// An atomic's address that is no multiple of 8.
    static RuntimeException unaligned(long remoteAddress) {
        return illegal("remoteAddress=0x" + Long.toHexString(remoteAddress) + " is not a multiple of 8");
    }

    /// An operation that this kernel's rxe does not know; it would index past its opcode table.
    static RuntimeException notSupported(int opcode, String since) {
        return new NotSupportedException(
                "post " + WorkRequestOpcode.name(opcode),
                Errno.EOPNOTSUPP,
                "rxe of this kernel does not have the operation, which came with Linux " + since);
    }

    /// A flush whose numbers are none.
    static RuntimeException flush(int length, int type, int level) {
        return illegal("length=" + length + ", type=" + type + ", level=" + level
                + ": a flush has length >= 0, type 1 to 3 and level 0 or 1");
    }

    /// A bind that would change more of the key than its lowest 8 bits, which is all that the kernel takes of it.
    static RuntimeException windowKey(int currentKey, int newKey) {
        return illegal("newKey=0x" + Integer.toHexString(newKey) + " differs from currentKey=0x"
                + Integer.toHexString(currentKey) + " in more than the lowest 8 bits");
    }

    /// A queue pair number of more than 24 bits.
    static RuntimeException queuePairNumber(int number) {
        return illegal("remoteQueuePair=0x" + Integer.toHexString(number) + " has more than 24 bits");
    }

    /// An address handle that is not ours, not of our protection domain, or closed.
    static RuntimeException addressHandle(SendLimits limits, ProviderAddressHandle handle) {
        if (!(handle instanceof RxeAddressHandle ours)) {
            return illegal("addressHandle belongs to another provider: " + handle.getClass().getName());
        }
        return ours.number() == 0
                ? new IllegalStateException("the address handle is destroyed")
                : illegal("addressHandle of protection domain " + ours.domain() + " on a queue pair of domain "
                        + limits.domain());
    }

    /// A template that another ring made.
    static RuntimeException template() {
        return illegal("the template was prepared by another queue");
    }

    /// A template of a datagram that is posted without destination.
    static RuntimeException noDestination() {
        return new IllegalStateException("a datagram is posted to a destination");
    }

    /// A change of something that the operation does not have.
    static RuntimeException noField(String field, int opcode) {
        return new IllegalStateException(
                "the prepared " + WorkRequestOpcode.name(opcode) + " has no " + field + " that could be changed");
    }

    /// A changed length.
    static RuntimeException changedLength(int length, long shortest, long longest) {
        return illegal("length=" + length + " is not in " + shortest + ".." + longest);
    }

    /// A receive.
    static RuntimeException receive(long length, int elements, int maxElements) {
        return elements > maxElements
                ? illegal("elements=" + elements + " exceeds maxScatterGather=" + maxElements)
                : illegal("length=" + length + " is not in 0.." + ReceiveRing.LONGEST);
    }

    private static RuntimeException common(
            int flags, long length, long longest, String why, int elements, SendLimits limits) {
        if (badFlags(flags)) {
            return flags(flags);
        }
        if (length < 0 || length > longest) {
            return illegal("length=" + length + " is not in 0.." + longest + ", " + why);
        }
        return illegal("elements=" + elements + " exceeds maxScatterGather=" + limits.maxScatterGather());
    }

    private static boolean badFlags(int flags) {
        return (flags & ~SendFlags.CALLER_FLAGS) != 0;
    }

    private static RuntimeException flags(int flags) {
        return illegal("flags=0x" + Integer.toHexString(flags) + " has bits other than FENCE, SIGNALED, SOLICITED and"
                + " IP_CHECKSUM");
    }

    private static RuntimeException opcode(QueuePairType type, int opcode) {
        return illegal("opcode=" + WorkRequestOpcode.name(opcode) + " cannot be posted to a queue pair of type " + type
                + " by this method");
    }

    private static IllegalArgumentException illegal(String message) {
        return new IllegalArgumentException(message);
    }
}

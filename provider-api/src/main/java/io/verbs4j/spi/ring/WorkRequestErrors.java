// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.util.StringJoiner;

/// Creates the exceptions for work requests that must not reach the device. These methods are separate from the rings
/// and [SendChecks], so that they do not enlarge methods that the compiler should inline. Each method repeats the
/// checks to find the exact mistake.
public final class WorkRequestErrors {
    private WorkRequestErrors() {}

    /// Returns the exception for a send, write or read with `elements` buffers.
    static RuntimeException transfer(SendLimits limits, int opcode, int flags, long length, int elements) {
        if (!OpcodeSet.has(limits.operations().transfers(), opcode)) {
            return opcode(limits, opcode);
        }
        return common(flags, length, limits.maxMessage(), "the port's longest message", opcode, elements, limits);
    }

    /// Returns the exception for a datagram with `elements` buffers.
    static RuntimeException datagram(SendLimits limits, int opcode, int flags, long length, int mtu, int elements) {
        if (!OpcodeSet.has(limits.operations().datagrams(), opcode)) {
            return opcode(limits, opcode);
        }
        String why = "the port's MTU; " + limits.driver() + " would drop it and report success";
        return common(flags, length, mtu, why, opcode, elements, limits);
    }

    /// Returns the exception for an inline payload.
    static RuntimeException inline(SendLimits limits, int set, int opcode, int flags, long longest, int length) {
        if (!OpcodeSet.has(set, opcode)) {
            return OpcodeSet.has(limits.operations().transfers(), opcode)
                    ? illegal("opcode=" + WorkRequestOpcode.name(opcode) + " carries no payload that could be inline")
                    : opcode(limits, opcode);
        }
        if (badFlags(limits, flags)) {
            return flags(limits, flags);
        }
        if (length < 0 || length > limits.maxInlineData()) {
            return illegal("length=" + length + " is not in 0.." + limits.maxInlineData()
                    + ", the queue pair's room for inline data");
        }
        return illegal("length=" + length + " exceeds " + longest + " bytes, the longest message or datagram");
    }

    /// Returns the exception for a range that exceeds the source of an inline payload.
    static RuntimeException source(long offset, int length, long bytes) {
        return illegal("offset=" + offset + ", length=" + length + " exceed the source of " + bytes + " bytes");
    }

    /// Returns the exception for a compare-and-swap or fetch-and-add.
    static RuntimeException atomic(SendLimits limits, int opcode, int flags, long remoteAddress, int length) {
        if (!OpcodeSet.has(limits.operations().atomics(), opcode)) {
            return opcode(limits, opcode);
        }
        if (badFlags(limits, flags)) {
            return flags(limits, flags);
        }
        if (length != Long.BYTES) {
            return illegal("length=" + length + " is not the 8 bytes of an atomic's result");
        }
        return limits.maxScatterGather() == 0
                ? illegal("an atomic needs a buffer for its result, the queue pair has maxScatterGather=0")
                : unaligned(remoteAddress);
    }

    /// Returns the exception for an operation without a payload.
    static RuntimeException plain(SendLimits limits, int set, int opcode, int flags) {
        return OpcodeSet.has(set, opcode) ? flags(limits, flags) : opcode(limits, opcode);
    }

    /// Returns the exception for a misaligned address of an atomic.
    public static RuntimeException unaligned(long remoteAddress) {
        return illegal("remoteAddress=0x" + Long.toHexString(remoteAddress) + " is not a multiple of 8");
    }

    /// Returns the exception for an operation that the running kernel's driver does not support.
    ///
    /// @param since the Linux version that introduced the operation
    public static RuntimeException notSupported(SendLimits limits, int opcode, String since) {
        return new NotSupportedException(
                "post " + WorkRequestOpcode.name(opcode),
                Errno.EOPNOTSUPP,
                limits.driver() + " of this kernel does not support the operation: it requires Linux " + since);
    }

    /// Returns the exception for a flush with an invalid length, type or level.
    public static RuntimeException flush(int length, int type, int level) {
        return illegal("length=" + length + ", type=" + type + ", level=" + level
                + ": a flush has length >= 0, type 1 to 3 and level 0 or 1");
    }

    /// Returns the exception for a bind that would change more of the key than its lowest 8 bits. The kernel would
    /// ignore such changes.
    public static RuntimeException windowKey(int currentKey, int newKey) {
        return illegal("newKey=0x" + Integer.toHexString(newKey) + " differs from currentKey=0x"
                + Integer.toHexString(currentKey) + " in more than the lowest 8 bits");
    }

    /// Returns the exception for a queue pair number of more than 24 bits.
    public static RuntimeException queuePairNumber(int number) {
        return illegal("remoteQueuePair=0x" + Integer.toHexString(number) + " has more than 24 bits");
    }

    /// Returns the exception for a receive with too many buffers or an invalid length.
    ///
    /// @param longest maximum sum of the lengths that the device can represent
    public static RuntimeException receive(long length, int elements, int maxElements, long longest) {
        return elements > maxElements
                ? illegal("elements=" + elements + " exceeds maxScatterGather=" + maxElements)
                : illegal("length=" + length + " is not in 0.." + longest);
    }

    /// Returns the usual exception for an operation that a transport does not support.
    public static RuntimeException opcode(QueuePairType type, int opcode) {
        return illegal("opcode=" + WorkRequestOpcode.name(opcode) + " cannot be posted to a queue pair of type " + type
                + " by this method");
    }

    /// Returns the exception for flags that the operation does not support.
    static RuntimeException flags(SendLimits limits, int flags) {
        return illegal("flags=0x" + Integer.toHexString(flags) + " has bits other than " + names(limits.flags()));
    }

    private static String names(int flags) {
        var names = new StringJoiner(", ");
        add(names, flags, SendFlags.FENCE, "FENCE");
        add(names, flags, SendFlags.SIGNALED, "SIGNALED");
        add(names, flags, SendFlags.SOLICITED, "SOLICITED");
        add(names, flags, SendFlags.IP_CHECKSUM, "IP_CHECKSUM");
        return names.toString();
    }

    private static void add(StringJoiner names, int flags, int flag, String name) {
        if ((flags & flag) != 0) {
            names.add(name);
        }
    }

    private static RuntimeException common(
            int flags, long length, long longest, String why, int opcode, int elements, SendLimits limits) {
        if (badFlags(limits, flags)) {
            return flags(limits, flags);
        }
        if (length < 0 || length > longest) {
            return illegal("length=" + length + " is not in 0.." + longest + ", " + why);
        }
        return elements > limits.maxScatterGather()
                ? illegal("elements=" + elements + " exceeds maxScatterGather=" + limits.maxScatterGather())
                : illegal("elements=" + elements + " exceeds " + limits.maxReadScatterGather() + ", the maximum that "
                        + limits.driver() + " supports in an " + WorkRequestOpcode.name(opcode)
                        + "; post one for each buffer");
    }

    private static boolean badFlags(SendLimits limits, int flags) {
        return (flags & ~limits.flags()) != 0;
    }

    private static RuntimeException opcode(SendLimits limits, int opcode) {
        return limits.operations().advice().refuse(limits.type(), opcode);
    }

    private static IllegalArgumentException illegal(String message) {
        return new IllegalArgumentException(message);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.Context;
import io.verbs4j.tools.ToolDevices;
import io.verbs4j.tools.ToolException;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Mtu;
import java.util.function.Consumer;

/// Compares what was asked for with what the device can do, in the words of the options.
final class DeviceLimits {
    /// Completions besides those of the receives that are posted: one send, and those that are being handled, whose slots are
    /// free again only after what they lead to is posted.
    static final int OTHER_COMPLETIONS = 1 + PingPongLoop.AT_A_TIME;

    private DeviceLimits() {}

    /// Opens the device that was asked for.
    ///
    /// @param more what else to check
    /// @throws ToolException naming the option that asks too much; nothing stays open then
    static Context open(PingPongOptions options, Consumer<Context> more) {
        Context context = ToolDevices.select(options.device()).open();
        try {
            check(options, context);
            more.accept(context);
            return context;
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Compares what all ping-pongs ask for with what the device can do.
    ///
    /// @throws ToolException naming the option that asks too much
    static void check(PingPongOptions options, Context context) {
        String device = context.device().name();
        DeviceAttributes limits = context.attributes();
        if (options.devicePort() > limits.ports()) {
            throw new ToolException(
                    device + " has no port " + options.devicePort() + ": it has " + limits.ports(),
                    "choose one with -i");
        }
        int depth = Math.min(
                limits.maxQueuePairWorkRequests(), limits.maxCompletionQueueEntries() - OTHER_COMPLETIONS);
        if (options.receiveDepth() > depth) {
            throw new ToolException(
                    options.receiveDepth() + " receives are more than " + device + " can hold, which is " + depth,
                    "ask for fewer with -r");
        }
        var port = context.port(options.devicePort());
        if (options.size() > port.maxMessageSize()) {
            throw new ToolException(
                    "a message of " + options.size() + " bytes is longer than " + device + " can send, which is "
                            + port.maxMessageSize(),
                    "ask for less with -s");
        }
    }

    /// @throws ToolException if packets of that size do not fit
    static void checkPathMtu(Mtu mtu, Context context, int port) {
        Mtu active = context.port(port).activeMtu();
        if (mtu.compareTo(active) > 0) {
            throw new ToolException(
                    "the path MTU of " + mtu.bytes() + " bytes is larger than the active MTU of "
                            + context.device().name()
                            + ", which is " + active.bytes(),
                    "use -m " + active.bytes() + " at both ends, or raise the MTU of the network interface");
        }
    }

    /// Fails if a message does not fit into a packet.
    ///
    /// @throws ToolException with what does
    static void checkDatagram(int size, Context context, int port) {
        int active = context.port(port).activeMtu().bytes();
        if (size > active) {
            throw new ToolException(
                    "Requested size larger than port MTU (" + active + ")",
                    "ask for less with -s, or raise the MTU of the network interface");
        }
    }
}

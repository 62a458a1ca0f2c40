// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.Context;
import io.verbs4j.tools.common.ToolDevices;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Mtu;
import java.util.function.Consumer;

/// Compares options with the device's limits.
final class DeviceLimits {
    /// Completions in addition to those of posted receives: one send, and the completions that are being handled. The
    /// slots of the latter are free only after the next work requests are posted.
    static final int OTHER_COMPLETIONS = 1 + PingPongLoop.AT_A_TIME;

    private DeviceLimits() {}

    /// Opens the selected device.
    ///
    /// @param more further checks
    /// @throws ToolException with the option that exceeds a limit; the device is closed then
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

    /// Compares the common options of ping-pongs with the device's limits.
    ///
    /// @throws ToolException with the option that exceeds a limit
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
                    options.receiveDepth() + " receives exceed the limit of " + device + ": " + depth,
                    "set a smaller number with -r");
        }
        var port = context.port(options.devicePort());
        if (options.size() > port.maxMessageSize()) {
            throw new ToolException(
                    "a message of " + options.size() + " bytes exceeds the limit of " + device + ": "
                            + port.maxMessageSize(),
                    "set a smaller size with -s");
        }
    }

    /// @throws ToolException if packets of this size do not fit
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

    /// Checks that a message fits into a packet.
    ///
    /// @throws ToolException with the size that fits
    static void checkDatagram(int size, Context context, int port) {
        int active = context.port(port).activeMtu().bytes();
        if (size > active) {
            throw new ToolException(
                    "Requested size larger than port MTU (" + active + ")",
                    "set a smaller size with -s, or raise the MTU of the network interface");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.memory.DeregisterMemory;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The kernel uses the handle of a destroyed object again at once. A thread that creates an object may record it before
/// another thread records the end of the former object.
class ReusedHandleTest {
    private static final int HANDLE = 7;

    private final List<TraceEntry> entries = new ArrayList<>();
    private final KernelSide kernel = new KernelSide();
    private final CommandChannel channel = channel();
    private int registrations;

    private CommandChannel channel() {
        Tracing.Session session = Tracing.start(entries::add, false);
        try {
            return CommandChannel.open(
                    Tracing.wrap(kernel, "fake0", DriverAbi.NONE), RdmaDriver.RXE, "fake0", 2, Transport.NATIVE_IOCTL);
        } finally {
            session.close();
        }
    }

    private void register() {
        RegisterMemory.execute(channel, 1, 0x1000, 16, 0x1000, 1, DriverData.NONE);
        registrations++;
    }

    /// Returns the explanation of a refused command about the region.
    private String explanation() {
        var request = new ReregisterMemory.Request(ReregisterMemory.ACCESS, 0, 0, 0, 0, 1);
        assertThatThrownBy(() -> ReregisterMemory.execute(channel, HANDLE, request, DriverData.NONE))
                .isInstanceOf(VerbsException.class);
        return entries.getLast().explanation();
    }

    @Test
    void isNotForgottenWithTheFormerObject() {
        kernel.answer(call -> switch (call.operation()) {
            case "register memory" -> {
                call.created(HANDLE);
                yield 0;
            }
            case "deregister memory" -> {
                if (registrations == 1) {
                    register();
                }
                yield 0;
            }
            default -> -Errno.ENOENT;
        });
        String unknown = "mr_handle=" + HANDLE + ": this context has no mr";
        assertThat(explanation()).startsWith(unknown);
        register();
        DeregisterMemory.execute(channel, HANDLE);
        assertThat(registrations).isEqualTo(2);
        assertThat(explanation()).doesNotStartWith(unknown);
        DeregisterMemory.execute(channel, HANDLE);
        assertThat(explanation()).startsWith(unknown);
    }
}

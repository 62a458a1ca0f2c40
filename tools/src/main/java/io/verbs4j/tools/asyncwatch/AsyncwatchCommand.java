// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.asyncwatch;

import io.verbs4j.AsyncEvent;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolDevices;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs asyncwatch`.
@Command(
        name = "asyncwatch",
        header = "Show the asynchronous events of a device as they happen.",
        description = {
                "%nThe output is that of ibv_asyncwatch: one line for each event of the device and its ports, such as"
                        + " a link that goes down or an address that is added. The command runs until interrupted.%n"
        },
        footer = {"%nExample:", "  verbs asyncwatch -d rxe0"})
public final class AsyncwatchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "<device>",
            description = "The device, such as rxe0 (default: the first one).") private @Nullable String name;

    @Override
    public Integer call() {
        Device device = ToolDevices.select(name);
        try (Context context = device.open()) {
            watch(context);
        }
        return 0;
    }

    /// Prints events until a signal closes the context. The current line is still completed.
    private void watch(Context context) {
        var closing = new Thread(context::close, "close device");
        Runtime.getRuntime().addShutdownHook(closing);
        print("%s: async event FD %d", context.device().name(), context.asyncEvents().fileDescriptor());
        Listening.begins();
        context.asyncEvents().forEach(this::print);
    }

    private void print(AsyncEvent event) {
        print("  event_type %s (%d), port %d", EventNames.inC(event.type()), event.type().value(), event.port());
    }

    /// Prints and flushes one line, so that the reader of a pipe sees it at once.
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
    private void print(String format, Object... arguments) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, format, arguments).print('\n');
        out.flush();
    }
}

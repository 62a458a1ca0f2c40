// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import io.verbs4j.Device;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.DeviceSelection;
import io.verbs4j.tools.common.EachDevice;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.Table;
import io.verbs4j.tools.common.ToolException;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `verbs counters`.
@Command(
        name = "counters",
        header = "Show the counters of RDMA ports, once or repeatedly with rates.",
        description = {
                "%nThe driver counts packets, retransmissions and errors of each port since the device was created."
                        + " With --watch, only counters that have changed are shown, with their rate per second."
                        + " Needs no permission on the devices.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs counters                       all counters of all devices",
                "  verbs counters -d rxe0 -z            the non-zero counters of one device",
                "  verbs counters --watch 1 --count 10  ten times, one second apart",
                "  verbs counters --watch 1 --json      one line of JSON per second"
        })
public final class CountersCommand implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final DeviceSelection selection = new DeviceSelection();

    @Option(
            names = {"-z", "--nonzero"},
            description = "Leave out counters that are 0.") private boolean nonzero;

    @Option(
            names = {"-w", "--watch"},
            paramLabel = "<seconds>",
            converter = CNumber.Positive.class,
            description = "Repeat at this interval in seconds, until Ctrl-C.") private @Nullable Integer watch;

    @Option(
            names = "--count",
            paramLabel = "<times>",
            converter = CNumber.Positive.class,
            description = "Stop --watch after this many repetitions (default: never).") private @Nullable Integer count;

    @Mixin private final JsonOption json = new JsonOption();

    /// A port of a device.
    private record Ports(String device, int number) {
        SortedMap<String, Long> counters() {
            return Host.current().counters(device, number);
        }

        String name() {
            return device + "/" + number;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        if (count != null && watch == null) {
            throw new ParameterException(spec.commandLine(), "--count requires --watch");
        }
        var ports = new ArrayList<Ports>();
        int code = addPorts(ports);
        PrintWriter out = spec.commandLine().getOut();
        if (ports.isEmpty()) {
            return code;
        }
        if (watch == null) {
            show(ports, out);
        } else {
            watch(ports, watch, out);
        }
        return code;
    }

    private int addPorts(List<Ports> ports) {
        return EachDevice.ask(spec, selection.devices(), Device::name, each -> {
            for (int number : selection.ports(each.name(), each.ports())) {
                ports.add(new Ports(each.name(), number));
            }
        });
    }

    private void show(List<Ports> ports, PrintWriter out) {
        var all = new LinkedHashMap<String, Map<String, Long>>();
        for (Ports each : ports) {
            Map<String, Long> values = each.counters();
            values.values().removeIf(value -> nonzero && value == 0);
            all.put(each.name(), values);
        }
        if (json.isSet()) {
            out.println(Json.pretty(all));
        } else {
            var table = new Table("port", "counter", "value");
            all.forEach((name, values) -> values.forEach(
                    (counter, value) -> table.row(name, counter, Long.toUnsignedString(value))));
            table.print(out);
        }
        out.flush();
    }

    private void watch(List<Ports> ports, int seconds, PrintWriter out) throws InterruptedException {
        var before = new LinkedHashMap<String, Map<String, Long>>();
        ports.forEach(each -> before.put(each.name(), each.counters()));
        long then = System.nanoTime();
        for (int round = 0; count == null || round < count; round++) {
            Thread.sleep(seconds * 1000L);
            long now = System.nanoTime();
            double elapsed = (now - then) / NANOS_PER_SECOND;
            then = now;
            var changes = new LinkedHashMap<String, Map<String, Change>>();
            for (Ports each : ports) {
                if (Host.current().portState(each.device, each.number).isEmpty()) {
                    throw new ToolException(each.device + " is gone");
                }
                Map<String, Long> values = each.counters();
                changes.put(each.name(), Change.between(before.getOrDefault(each.name(), Map.of()), values, elapsed));
                before.put(each.name(), values);
            }
            print(changes, elapsed, out);
        }
    }

    private void print(Map<String, Map<String, Change>> changes, double elapsed, PrintWriter out) {
        if (json.isSet()) {
            var line = new LinkedHashMap<String, Object>();
            line.put("seconds", elapsed);
            line.putAll(changes);
            out.println(Json.line(line));
        } else {
            var table = new Table("port", "counter", "value", "change", "per second");
            changes.forEach((name, counters) -> counters.forEach((counter, change) -> table.row(
                    name,
                    counter,
                    Long.toUnsignedString(change.value),
                    change.change.toString(),
                    String.format(Locale.ROOT, "%.1f", change.perSecond))));
            table.print(out);
            out.println();
        }
        out.flush();
    }

    /// Change of a counter.
    /// @param change signed, unlike the counter itself
    record Change(long value, BigInteger change, double perSecond) {
        /// Returns the counters that have changed.
        static Map<String, Change> between(Map<String, Long> before, Map<String, Long> after, double seconds) {
            var changes = new TreeMap<String, Change>();
            after.forEach((name, value) -> {
                long change = value - before.getOrDefault(name, 0L);
                if (change != 0) {
                    changes.put(name, new Change(value, BigInteger.valueOf(change), change / seconds));
                }
            });
            return changes;
        }
    }
}

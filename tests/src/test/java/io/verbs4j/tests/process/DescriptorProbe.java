// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.tests.support.Probe;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A program that has no file descriptor left.
final class DescriptorProbe {
    private DescriptorProbe() {}

    /// Runs the queries while all descriptors are in use, and again when they are free.
    ///
    /// @param arguments the device
    public static void main(String[] arguments) throws IOException {
        String name = arguments[0];
        try (var context = Devices.open(name)) {
            Probe.ask("list", DescriptorProbe::names); // all classes are there before the descriptors are gone
            Probe.ask("manager", DescriptorProbe::openConnectionManager);
            Probe.ask("channel", () -> context.createCompletionChannel().isClosed());
            Probe.ask("keys", () -> context.pkeys(1));
            Probe.ask("counters", () -> context.hardwareCounters(1).values().isEmpty());
            List<FileInputStream> fillers = fill();
            Probe.ask("list without", DescriptorProbe::names);
            Probe.ask("find without", () -> Devices.find(name));
            Probe.ask("open without", () -> Devices.open(name));
            Probe.ask("manager without", DescriptorProbe::openConnectionManager);
            Probe.ask("channel without", context::createCompletionChannel);
            Probe.ask("keys without", () -> context.pkeys(1));
            Probe.ask("counters without", () -> context.hardwareCounters(1).values());
            for (FileInputStream filler : fillers) {
                filler.close();
            }
            Probe.ask("list again", DescriptorProbe::names);
            Probe.ask("manager again", DescriptorProbe::openConnectionManager);
        }
    }

    private static List<String> names() {
        return Devices.list().stream().map(Device::name).toList();
    }

    private static String openConnectionManager() {
        try (var channel = EventChannel.open()) {
            return channel.isClosed() ? "closed" : "open";
        }
    }

    private static List<FileInputStream> fill() {
        var files = new ArrayList<FileInputStream>();
        try {
            while (true) {
                files.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException full) {
            return files;
        }
    }
}

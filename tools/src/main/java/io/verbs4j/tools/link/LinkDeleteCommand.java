// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.link;

import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.inspect.Owner;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `verbs link delete`.
@Command(
        name = "delete",
        header = "Delete a software device.",
        description = {
                "%nrxe cannot take a device from programs that have it open. The kernel would wait until the last"
                        + " program has closed it, and no signal could interrupt this command meanwhile. Therefore"
                        + " the command refuses and names the programs, unless --wait is given.%n"
        },
        footer = {"%nExample:", "  verbs link delete rxe0"})
final class LinkDeleteCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "<name>",
            description = "Name of the device.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(
            names = "--wait",
            description = "Delete the device even if programs have it open, and wait for them.") private boolean waits;

    @Override
    public Integer call() {
        try (RdmaSubsystem subsystem = Host.current().subsystem()) {
            List<RdmaSubsystem.Device> devices = subsystem.devices();
            RdmaSubsystem.Device device = devices.stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new ToolException("unknown RDMA device: " + name + absence(devices)));
            List<Owner> users = subsystem.resources(device.index(), ResourceKind.CONTEXT)
                    .stream()
                    .map(Owner::of)
                    .distinct()
                    .toList();
            if (!users.isEmpty() && !waits) {
                throw new ToolException(
                        name + " is open in "
                                + users.stream().map(Owner::toString).collect(Collectors.joining(", ")),
                        "end these programs first, or wait for them with --wait");
            }
            subsystem.deleteLink(device.index());
        }
        return 0;
    }

    private static String absence(List<RdmaSubsystem.Device> devices) {
        return devices.isEmpty()
                ? ": " + Host.current().absence()
                : "; available: " + devices.stream().map(RdmaSubsystem.Device::name).collect(Collectors.joining(", "));
    }
}

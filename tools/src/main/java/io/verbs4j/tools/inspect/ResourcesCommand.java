// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import io.verbs4j.Devices;
import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.KernelResource.Detail;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.abi.host.Host;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.tools.common.EachDevice;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.Table;
import io.verbs4j.tools.common.ToolDevices;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairState;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// `verbs resources`.
@Command(
        name = "resources",
        header = "Show which objects the kernel holds on RDMA devices, and for which process.",
        description = {
                "%nShows contexts, protection domains, memory regions, completion queues, shared receive queues, queue"
                        + " pairs and connection identifiers of all processes and of the kernel. Brackets mark"
                        + " parts of the kernel. Each object has a number; ctxn, pdn and cqn are the numbers of its"
                        + " context, protection domain and completion queue. Only root sees the keys of memory"
                        + " regions.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs resources                      all objects on all devices",
                "  verbs resources -d rxe0 -k qp,mr     queue pairs and memory regions of one device",
                "  verbs resources --pid 1234 --json    objects of a process, for programs"
        })
public final class ResourcesCommand implements Callable<Integer> {
    /// `enum ib_qp_type` (include/rdma/ib_verbs.h).
    private static final List<String> QUEUE_PAIR_TYPES =
            List.of("SMI", "GSI", "RC", "UC", "UD", "RAW_IPV6", "RAW_ETHERTYPE", "7", "RAW_PACKET", "XRC_INI",
                    "XRC_TGT");

    /// `enum rdma_cm_state` (drivers/infiniband/core/cma_priv.h).
    private static final List<String> CONNECTION_STATES =
            List.of("IDLE", "ADDR_QUERY", "ADDR_RESOLVED", "ROUTE_QUERY", "ROUTE_RESOLVED", "CONNECT", "DISCONNECT",
                    "ADDR_BOUND", "LISTEN", "DEVICE_REMOVAL", "DESTROYING", "ADDRINFO_QUERY", "ADDRINFO_RESOLVED");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "<device>",
            description = "Only this device, such as rxe0 (default: all).") private @Nullable String device;

    @Option(
            names = {"-k", "--kind"},
            paramLabel = "<kind>",
            split = ",",
            converter = Kind.class,
            description = "Only these kinds: ctx, pd, mr, cq, srq, qp, cm_id (default: all).") private List<ResourceKind> kinds =
                    List.of(ResourceKind.values());

    @Option(
            names = "--pid",
            paramLabel = "<pid>",
            description = "Show only objects of this process.") private @Nullable Integer process;

    @Mixin private final JsonOption json = new JsonOption();

    /// An object on a device.
    record Held(
            String device,
            String kind,
            OptionalLong number,
            @Nullable Integer pid,
            String owner,
            Map<String, Object> details) {}

    /// Reads a kind by its short name.
    static final class Kind implements ITypeConverter<ResourceKind> {
        @Override
        public ResourceKind convert(String text) {
            for (ResourceKind kind : ResourceKind.values()) {
                if (kind.shortName().equals(text)) {
                    return kind;
                }
            }
            throw new TypeConversionException("'" + text + "' is not ctx, pd, mr, cq, srq, qp or cm_id");
        }
    }

    @Override
    public Integer call() {
        var all = new ArrayList<Held>();
        int code = gather(all);
        PrintWriter out = spec.commandLine().getOut();
        if (json.isSet()) {
            out.println(Json.pretty(all));
        } else {
            var table = new Table("device", "kind", "number", "owner", "details");
            for (Held held : all) {
                table.row(
                        held.device,
                        held.kind,
                        held.number.isPresent() ? Long.toString(held.number.getAsLong()) : "-",
                        new Owner(held.pid, held.owner).toString(),
                        held.details
                                .entrySet()
                                .stream()
                                .map(detail -> detail.getKey() + " " + detail.getValue())
                                .collect(Collectors.joining("  ")));
            }
            table.print(out);
        }
        out.flush();
        return code;
    }

    private int gather(List<Held> all) {
        try (RdmaSubsystem subsystem = Host.current().subsystem()) {
            List<RdmaSubsystem.Device> devices = subsystem.devices();
            if (devices.isEmpty()) {
                throw ToolDevices.none();
            }
            if (device != null && devices.stream().noneMatch(each -> each.name().equals(device))) {
                Devices.find(device); // throws if there is no such device, and lists the others
            }
            List<RdmaSubsystem.Device> asked =
                    devices.stream().filter(each -> device == null || device.equals(each.name())).toList();
            return EachDevice.ask(spec, asked, RdmaSubsystem.Device::name, each -> {
                for (ResourceKind kind : kinds) {
                    subsystem.resources(each.index(), kind).forEach(resource -> add(each.name(), resource, all));
                }
            });
        }
    }

    private void add(String name, KernelResource resource, List<Held> all) {
        Owner owner = Owner.of(resource);
        if (process == null || process.equals(owner.process())) {
            var details = new LinkedHashMap<String, Object>();
            resource.details().forEach(detail -> details.put(detail.name(), value(resource.kind(), detail)));
            resource.addresses().forEach(address -> details.put(address.name(), text(address.address())));
            all.add(new Held(
                    name, resource.kind().shortName(), resource.number(), owner.process(), owner.name(), details));
        }
    }

    private static String text(InetSocketAddress address) {
        String host = AddressText.of(address.getAddress());
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /// Returns types, states and port spaces by name, keys in hexadecimal, and other values unchanged.
    private static Object value(ResourceKind kind, Detail detail) {
        long value = detail.value();
        return switch (detail.name()) {
            case "lkey", "rkey" -> String.format("0x%08x", value);
            case "state" -> switch (kind) {
                case QUEUE_PAIR -> value < QueuePairState.values().length ? QueuePairState.of((int) value) : value;
                case CONNECTION_ID -> named(CONNECTION_STATES, value);
                default -> value;
            };
            case "type" ->
                kind == ResourceKind.QUEUE_PAIR || kind == ResourceKind.CONNECTION_ID
                        ? named(QUEUE_PAIR_TYPES, value)
                        : value;
            case "port-space" -> PortSpace.of((int) value).<Object>map(PortSpace::name).orElse(value);
            default -> value;
        };
    }

    private static Object named(List<String> names, long value) {
        return value < names.size() ? names.get((int) value) : value;
    }
}

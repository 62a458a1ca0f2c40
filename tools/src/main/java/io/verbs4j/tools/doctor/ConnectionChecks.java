// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.abi.cm.CmDevice;
import io.verbs4j.cm.AddressResolution;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.Findings;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Checks connections by IP address: the kernel's connection manager, its device file, and the route to a peer.
record ConnectionChecks(SystemFiles files) {
    private static final String MANAGER = "connection manager";
    private static final Duration RESOLUTION = Duration.ofSeconds(5);

    /// @param peer the peer's address; null for none
    void run(@Nullable InetSocketAddress peer, Findings findings) {
        try (var channel = EventChannel.open()) {
            findings.ok(MANAGER, CmDevice.NODE + " can be opened");
            if (peer != null) {
                find(peer, channel, findings);
            }
        } catch (VerbsException e) {
            boolean loaded = files.hasModule(CmDevice.MODULE);
            boolean absent = e.errno() == Errno.ENOENT || e.errno() == Errno.ENODEV || e.errno() == Errno.ENXIO;
            String consequence = ": programs cannot connect by IP address";
            String message = absent && !loaded && files.showsModules()
                    ? CmDevice.MODULE + " is not loaded"
                    : switch (e.errno()) {
                        case Errno.ENOENT -> "there is no node " + CmDevice.NODE;
                        case Errno.EACCES, Errno.EPERM, Errno.ENODEV, Errno.ENXIO ->
                            CmDevice.NODE + " cannot be opened, " + Errno.name(e.errno());
                        default -> String.valueOf(e.getMessage());
                    };
            findings.warning(MANAGER, message + consequence, remedy(e.errno(), loaded, files.showsModules()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static String remedy(int errno, boolean loaded, boolean known) {
        return switch (errno) {
            case Errno.EACCES -> "chmod 0666 " + CmDevice.NODE + ", or a udev rule that does so";
            case Errno.EPERM -> "allow the node in the container's device rules: --device=" + CmDevice.NODE;
            case Errno.ENOENT, Errno.ENODEV, Errno.ENXIO ->
                loaded
                        ? "give the container the node: --device=" + CmDevice.NODE
                        : "modprobe " + CmDevice.MODULE
                                + (known ? "" : ", or give the container the node: --device=" + CmDevice.NODE);
            default -> "verbs abi errors " + Errno.name(errno);
        };
    }

    /// Resolves device, route and neighbour, as a connection does. Does not contact the peer's program.
    private static void find(InetSocketAddress peer, EventChannel channel, Findings findings)
            throws InterruptedException {
        String host = peer.getAddress().getHostAddress();
        String check = "peer " + host;
        try (Identifier identifier = channel.create(PortSpace.TCP)) {
            var resolution = AddressResolution.begin(identifier, null, peer, RESOLUTION);
            CmEvent event = channel.await(RESOLUTION.multipliedBy(2)).orElse(null);
            while (event != null && resolution.retry(event)) {
                event = channel.await(RESOLUTION.multipliedBy(2)).orElse(null);
            }
            if (event instanceof CmEvent.AddressResolved) {
                identifier.resolveRoute(RESOLUTION);
                event = channel.await(RESOLUTION.multipliedBy(2)).orElse(null);
            }
            if (event instanceof CmEvent.RouteResolved) {
                findings.ok(check, route(identifier));
            } else if (event == null) {
                findings.error(check, "the kernel has not resolved the address", neighbour(host));
            } else {
                findings.error(check, "the address cannot be resolved: " + event.explanation(), neighbour(host));
            }
        } catch (VerbsException e) {
            findings.error(check, "the address cannot be resolved: " + e.getMessage(), e.errno() == Errno.ENETUNREACH
                    ? "ip route get " + host + " shows the missing route; add it with ip route add"
                    : "ip route get " + host
                            + " shows the interface; verbs devices lists the interfaces with a device");
        }
    }

    private static String route(Identifier identifier) {
        String device = identifier.device()
                .map(found -> found.name()
                        + found.networkInterface().map(name -> " on " + name).orElse(""))
                .orElse("a device");
        InetSocketAddress local = identifier.addresses().local();
        return "over " + device + (local == null ? "" : ", from " + local.getAddress().getHostAddress());
    }

    private static String neighbour(String host) {
        return "ping " + host + " and ip neigh show " + host
                + ": the peer must answer on the interface of an RDMA device";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.Context;
import io.verbs4j.tools.common.ToolDevices;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pairs.CmPairs;
import io.verbs4j.tools.pingpong.LocalGid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs one end of a test. The steps have the order of perftest's programs (src/send_lat.c, src/write_bw.c …), because
/// each end waits for the other's steps.
final class PerfRun {
    private final PerfOptions options;
    private final PerfReport report;
    private final PrintWriter err;
    private final PerfPlan plan;
    private final boolean sending;
    private final boolean latency;

    PerfRun(PerfOptions options, PerfPlan plan, PerfReport report, PrintWriter err) {
        this.options = options;
        this.plan = plan;
        this.report = report;
        this.err = err;
        this.sending = plan.test().operation() == Operation.SEND;
        this.latency = plan.test().isLatency();
    }

    void run() {
        Mtu mtu = check();
        if (knowsDevice()) {
            rehearse(mtu);
        }
        if (!plan.client()) {
            report.waiting();
        }
        try (PerfExchange peer = PerfExchange.open(options.host, options.port(), options.connectByAddress, err)) {
            boolean ours = peer.exchangeVersions();
            ExtraMessages extras = ours ? peer.exchangeExtras(requestedExtras()) : extrasWithC();
            if (ours) {
                peer.exchangeIterations(plan.iterations(), bothCount() || plan.bidirectional());
            }
            int cycle = peer.exchangePageSizes();
            Mtu common = peer.exchangeMtu(mtu);
            PerfPlan fitting = fit(common);
            if (options.connectByAddress) {
                try (
                        CmPairs connection = CmPairs.open(
                                plan.connection() == QueuePairType.UD ? PortSpace.UDP : PortSpace.TCP, options.host,
                                options.port())) {
                    peer.exchange(PerfAddress.NONE); // the server listens
                    try (
                            PerfLink link = open(fitting, connection.device(options.device(), CmPairs.TIMEOUT),
                                    CmConnectedPairs.by(connection, plan), cycle)) {
                        peer.exchange(PerfAddress.NONE); // all are connected
                        measure(link, peer, common, extras, ours);
                    }
                }
            } else {
                try (PerfLink link = open(fitting, common, cycle)) {
                    measure(link, peer, common, extras, ours);
                }
            }
        }
    }

    private void measure(PerfLink link, PerfExchange peer, Mtu common, ExtraMessages extras, boolean ours) {
        PerfPlan fitting = link.plan();
        report.head(fitting, link.device(), link.gidIndex(), common, link.outstandingReads());
        meet(link, peer);
        peer.allowMeasuring();
        report.columns(fitting, extras.average());
        if (latency) {
            measureLatency(link, peer, extras, ours);
        } else {
            measureBandwidth(link, peer, extras.warmUp());
        }
        report.end(fitting);
    }

    private ExtraMessages requestedExtras() {
        return new ExtraMessages(options.warmUp, options.average);
    }

    /// Returns the extra messages of a test with a C program. They are possible if the C program only waits for the
    /// client.
    private ExtraMessages extrasWithC() {
        if (!bothCount()) {
            return plan.client() ? requestedExtras() : ExtraMessages.NONE;
        }
        if (options.average) {
            throw new ToolException(
                    "--average needs verbs4j at both ends of " + plan.test().commandName()
                            + ", and the peer is a C program",
                    "omit --average, or run 'verbs perf' there too");
        }
        return ExtraMessages.NONE;
    }

    /// Returns whether the server counts the client's messages.
    private boolean bothCount() {
        return sending || plan.test() == PerfTest.WRITE_LAT;
    }

    /// Returns whether the device is known before the peer is. With `-R` and without `-d`, only the route to the peer
    /// determines it.
    private boolean knowsDevice() {
        return options.device() != null || !options.connectByAddress;
    }

    /// Checks everything that does not need the peer, and returns the path MTU. Closes the device again, because the
    /// peer may start much later.
    private Mtu check() {
        try (Context context = ToolDevices.select(options.device()).open()) {
            int ports = context.attributes().ports();
            if (options.devicePort() > ports) {
                throw new ToolException(
                        context.device().name() + " has no port " + options.devicePort() + ": it has " + ports,
                        "choose one with -i");
            }
            PortAttributes port = context.port(options.devicePort());
            Mtu active = port.activeMtu();
            if (options.mtu != null && options.mtu.compareTo(active) > 0) {
                throw new ToolException(
                        "the path MTU of " + options.mtu.bytes() + " bytes is larger than the active MTU of "
                                + context.device().name() + ", which is " + active.bytes(),
                        "use -m " + active.bytes() + ", or raise the MTU of the network interface");
            }
            if (knowsDevice()) {
                LocalGid.selector(options.gidIndex, options.host).select(context, options.devicePort());
            }
            Mtu mtu = options.mtu == null ? active : options.mtu;
            PerfPlan fitting = fit(mtu);
            if (fitting.largestSize() > port.maxMessageSize()) {
                throw new ToolException(
                        "a message of " + fitting.largestSize() + " bytes is longer than " + context.device().name()
                                + " can send: " + port.maxMessageSize(),
                        "set a smaller size with -s");
            }
            return mtu;
        }
    }

    /// Creates all objects once and closes them, to check that the device has room for them.
    private void rehearse(Mtu mtu) {
        open(fit(mtu), mtu, 0).close();
    }

    /// Removes sizes that do not fit into a datagram, which is a single packet.
    private PerfPlan fit(Mtu mtu) {
        if (plan.connection() != QueuePairType.UD) {
            return plan;
        }
        List<Integer> sizes = plan.sizes().stream().filter(size -> size <= mtu.bytes()).toList();
        if (!sizes.isEmpty()) {
            return plan.with(sizes);
        }
        if (options.size == null) {
            return plan.with(List.of(mtu.bytes()));
        }
        throw new ToolException(
                "a datagram of " + options.size + " bytes does not fit into one packet of " + mtu.bytes(),
                "set a smaller size with -s");
    }

    private PerfLink open(PerfPlan fitting, Mtu mtu, int cycle) {
        PerfPairs.Factory pairs = ExchangedPairs.on(
                fitting, options.devicePort(), LocalGid.selector(options.gidIndex, options.host), mtu);
        return open(fitting, ToolDevices.select(options.device()).open(), pairs, cycle);
    }

    private static PerfLink open(PerfPlan fitting, Context context, PerfPairs.Factory pairs, int cycle) {
        try {
            return new PerfLink(fitting, context, pairs, cycle);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Exchanges addresses, and connects the queue pairs.
    private void meet(PerfLink link, PerfExchange peer) {
        int pairs = plan.queuePairs();
        if (latency && !sending) {
            peer.exchange(link.address(0));
        }
        var addresses = new ArrayList<PerfAddress>();
        for (int i = 0; i < pairs; i++) {
            addresses.add(peer.exchange(link.address(i)));
        }
        link.connect(addresses);
        if (sending) {
            peer.exchange(link.address(0));
        }
        for (int i = 0; i < pairs; i++) {
            report.address("local", link.address(i), plan.test().operation());
        }
        for (int i = 0; i < pairs; i++) {
            report.address("remote", peer.exchange(link.address(i)), plan.test().operation());
        }
        if (!sending) {
            peer.exchange(link.address(0));
        }
    }

    private void measureLatency(PerfLink link, PerfExchange peer, ExtraMessages extras, boolean ours) {
        PerfPlan fitting = link.plan();
        boolean waitsOnly = plan.test().operation().isFetching() && !plan.client();
        for (int size : waitsOnly ? List.<Integer>of() : fitting.sizes()) {
            var clock = new LatencyClock(extras, plan.iterations(), System::nanoTime,
                    () -> Alarm.in(TimeUnit.SECONDS.toNanos(plan.seconds())));
            try (var progress = new Progress(err, plan.seconds() > 0 ? 0 : clock.messages())) {
                if (plan.test() == PerfTest.WRITE_LAT) {
                    report.result(new WriteLatencyLoop(link, size, clock, progress).run());
                } else {
                    var loop = new LatencyLoop(link, size, clock, progress);
                    if (sending) {
                        peer.exchange(link.address(0)); // both ends have posted receives
                    }
                    report.result(loop.run());
                }
            }
        }
        // The C program ends without waiting, which closes its queue pair. Two ends with verbs4j wait for each other.
        if (plan.test() != PerfTest.WRITE_LAT || ours) {
            peer.finish(link.address(0));
        }
    }

    private void measureBandwidth(PerfLink link, PerfExchange peer, int warmUp) {
        PerfAddress own = link.address(0);
        if (!sending && !plan.client() && !plan.bidirectional()) {
            peer.exchange(own);
            report.result(peer.exchange(new BandwidthResult(0, 0, 0, 0, 0)));
            peer.finish(own);
            return;
        }
        BandwidthResult last = new BandwidthResult(0, 0, 0, 0, 0);
        boolean many = link.plan().sizes().size() > 1;
        for (int size : link.plan().sizes()) {
            warmUp(link, peer, size, warmUp);
            last = measure(link, peer, size, many);
        }
        if (!sending && !plan.bidirectional()) {
            peer.exchange(own);
            peer.sendResult(last);
        }
        peer.finish(own);
    }

    private void warmUp(PerfLink link, PerfExchange peer, int size, int messages) {
        if (messages == 0) {
            return;
        }
        long whole = Math.ceilDiv(messages, plan.list()) * (long) plan.list();
        try (var progress = new Progress(err, plan.bandwidthMessages(whole))) {
            var loop = new BandwidthLoop(link, size, whole, progress);
            if (sending || plan.bidirectional()) {
                peer.exchange(link.address(0));
            }
            loop.run(false);
            loop.delivery().requireWhole();
        }
    }

    private BandwidthResult measure(PerfLink link, PerfExchange peer, int size, boolean many) {
        PerfAddress own = link.address(0);
        try (var progress = new Progress(err, plan.bandwidthMessages(plan.iterations()))) {
            var loop = new BandwidthLoop(link, size, plan.iterations(), progress);
            if (sending || plan.bidirectional()) {
                peer.exchange(own); // both are ready
            }
            BandwidthResult result = loop.run(options.gigabits);
            if (!sending && plan.bidirectional() && many) {
                peer.exchange(own);
            }
            boolean together = plan.bidirectional() && !(sending && plan.seconds() > 0);
            report.result(together ? result.plus(peer.exchange(result)) : result);
            if (many) {
                loop.delivery().requireWhole();
            } else if (!loop.delivery().isWhole()) {
                err.println(loop.delivery().loss());
            }
            if (sending && many) {
                peer.exchange(own);
            }
            return result;
        }
    }
}

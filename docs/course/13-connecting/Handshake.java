// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.cm.*;
import io.verbs4j.roce.*;
import io.verbs4j.roce.mad.*;
import io.verbs4j.types.*;
import java.io.*;
import java.net.*;
import java.util.*;

static final InetSocketAddress SERVICE = new InetSocketAddress("10.9.0.2", 7472);
static final int HEADERS = 14 + 20 + 8; // Ethernet, IPv4 without options, UDP

void main() throws Exception {
    var capture = new ProcessBuilder(
            "tcpdump", "--immediate-mode", "-U", "-i", "veth0", "-w", "-", "udp port 4791").start();
    try (var says = new BufferedReader(new InputStreamReader(capture.getErrorStream()));
            var reader = new PcapReader(capture.getInputStream(), "tcpdump")) {
        while (!says.readLine().contains("listening on")) {
            // Waits until tcpdump listens.
        }
        var options = ConnectionOptions.defaults().withSource(new InetSocketAddress("10.9.0.1", 0));
        try (var server = RdmaServer.listen(SERVICE, options.withPrivateData(PrivateData.of("come in")))) {
            var accepting = server.acceptAsync();
            try (var client = RdmaConnection.connect(SERVICE, options.withPrivateData(PrivateData.of("it is me")));
                    var accepted = accepting.get()) {
                client.disconnect();
                accepted.disconnected().get();
            }
        }
        try {
            RdmaConnection.connect(SERVICE, options); // no program listens any more
        } catch (ConnectionRejectedException e) {
            Thread.sleep(100); // for packets in flight
        }
        capture.toHandle().destroy();
        show(reader);
    }
}

void show(PcapReader reader) throws Exception {
    var seen = new HashSet<String>();
    for (var frame = reader.next(); frame != null; frame = reader.next()) {
        byte[] bytes = frame.bytes();
        var packet = RoceV2Packet.parse(bytes, HEADERS, bytes.length - HEADERS);
        Mad.in(packet).ifPresent(mad -> {
            // A busy machine sends a message again, with the same transaction id.
            if (seen.add(mad + mad.header().text(mad.header().layout().field("tid")))) {
                IO.println("10.9.0.%d  %s".formatted(bytes[14 + 15], describe(mad.message().orElseThrow())));
            }
        });
    }
}

String describe(CmMessage message) {
    var fields = message.fields();
    var text = new StringJoiner("  ");
    text.add("%-7s".formatted(message));
    message.port().ifPresent(port -> text.add(message.portSpace().orElseThrow() + " port " + port));
    if (message.queuePairNumber().isPresent()) {
        text.add(message.type() == CmMessageType.DREQ ? "names your queue pair" : "names my queue pair");
    }
    if (fields.layout().has("starting_psn")) {
        text.add("begin with PSN 0x%06x".formatted(fields.number("starting_psn")));
    }
    if (message.type() == CmMessageType.REJ) {
        text.add("reason " + RejectReason.of(fields.number("reason")).orElseThrow());
    }
    var data = PrivateData.of(message.privateData()).text();
    return text.add(data.isEmpty() ? "" : '"' + data + '"').toString().stripTrailing();
}

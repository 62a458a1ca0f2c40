// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.Deth;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.wire.PacketModel.Exchange;
import io.verbs4j.tests.wire.PacketModel.Message;
import io.verbs4j.types.QueuePairType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The table of packets in docs/wire.md is the model's, which the device tests compare with the wire.
class PacketTableTest {
    private static final int MTU = 1024;
    private static final int BYTES = 2500;
    private static final int DATAGRAM_BYTES = 500;
    private static final List<QueuePairType> TRANSPORTS =
            List.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD);

    @Test
    void isThatOfTheDocumentation() throws IOException {
        String text = Files.readString(Repository.file("docs/wire.md"));

        assertThat(text).as("docs/wire.md should have these lines:\n" + table()).contains(table());
    }

    private static String table() {
        var lines = new ArrayList<String>();
        lines.add("| operation | transport | to the peer | back |");
        lines.add("| --- | --- | --- | --- |");
        for (Operation operation : Operation.values()) {
            for (QueuePairType transport : TRANSPORTS) {
                if (operation.isOf(transport)) {
                    lines.add(row(operation, transport));
                }
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String row(Operation operation, QueuePairType transport) {
        int length = operation.isAtomic() || operation == Operation.ATOMIC_WRITE
                ? Long.BYTES
                : transport == QueuePairType.UD ? DATAGRAM_BYTES : BYTES;
        Exchange exchange = new PacketModel(transport, MTU, 0)
                .send(new Message(operation, new byte[length], false, 0, 0, 0, 0, 0, 0, new Deth(0, 0)));
        return "| " + operation.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " | " + transport + " | "
                + packets(exchange.requests()) + " | " + packets(exchange.responses()) + " |";
    }

    private static String packets(List<WirePacket> packets) {
        return packets.isEmpty() ? "–" : String.join("<br>", packets.stream().map(PacketTableTest::packet).toList());
    }

    private static String packet(WirePacket packet) {
        var parts = new ArrayList<String>();
        packet.headers().forEach(header -> parts.add(header.getClass().getSimpleName()));
        if (!packet.payload().isEmpty()) {
            parts.add(packet.payload().replaceAll(" bytes .*", " bytes"));
        }
        if (packet.ackRequest()) {
            parts.add("AckReq");
        }
        return "PSN +" + packet.psn() + " " + packet.opcode()
                + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
    }
}

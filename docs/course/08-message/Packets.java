// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.roce.*;
import io.verbs4j.types.*;
import java.io.*;
import java.nio.*;
import java.util.*;

static final int HEADERS = 14 + 20 + 8; // Ethernet, IPv4 without options, UDP

void main() throws Exception {
    try (var left = Devices.open("rxe0");
            var right = Devices.open("rxe1")) {
        var leftQueue = left.createCompletionQueue(16);
        var rightQueue = right.createCompletionQueue(16);
        var leftDomain = left.allocateProtectionDomain();
        var rightDomain = right.allocateProtectionDomain();
        var leftMemory = leftDomain.allocate(4096, Access.LOCAL_WRITE);
        var rightMemory = rightDomain.allocate(
                4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        // Timeout 20 is 4 seconds: nothing is sent twice, however busy the machine is.
        var one = leftDomain.reliableConnection(leftQueue).packetSequenceNumber(100).timeout(20).prepare();
        var other = rightDomain.reliableConnection(rightQueue).packetSequenceNumber(900).timeout(20).prepare();
        try (var receives = other.beginReceive()) {
            receives.receive(rightMemory, 0, 4096);
            receives.submit();
        }
        var sender = one.connect(other.endpoint());
        other.connect(one.endpoint());

        show("send 2500 bytes", () -> complete(sender, leftQueue,
                new SendWorkRequest().send().local(leftMemory.slice(0, 2500))));
        show("write 64 bytes", () -> complete(sender, leftQueue,
                new SendWorkRequest().write().local(leftMemory.slice(0, 64))
                        .remote(rightMemory.remote().slice(0, 64))));
        show("read 1500 bytes", () -> complete(sender, leftQueue,
                new SendWorkRequest().read().local(leftMemory.slice(0, 1500))
                        .remote(rightMemory.remote().slice(0, 1500))));
    }
}

/// Posts one work request and waits for its completion.
void complete(QueuePair pair, CompletionQueue queue, SendWorkRequest request) {
    pair.post(request.signaled());
    while (queue.poll(1, completion -> IO.println("  " + completion.status())) == 0) {
        Thread.onSpinWait();
    }
}

/// Runs an action while tcpdump listens, and prints the RoCE v2 packets of that time.
void show(String title, Runnable action) throws Exception {
    IO.println(title);
    var capture = new ProcessBuilder(
            "tcpdump", "--immediate-mode", "-U", "-i", "veth0", "-w", "-", "udp port 4791").start();
    try (var says = new BufferedReader(new InputStreamReader(capture.getErrorStream()));
            var reader = new PcapReader(capture.getInputStream(), "tcpdump")) {
        while (!says.readLine().contains("listening on")) {
            // Waits until tcpdump listens.
        }
        action.run();
        Thread.sleep(100); // for packets in flight
        capture.toHandle().destroy();
        for (var frame = reader.next(); frame != null; frame = reader.next()) {
            IO.println("  " + describe(ByteBuffer.wrap(frame.bytes())));
        }
    }
}

String describe(ByteBuffer frame) {
    int from = frame.get(14 + 15); // last byte of the IPv4 source address
    var bth = Bth.parse(frame.position(HEADERS));
    var text = new StringJoiner("  ");
    text.add("10.9.0.%d  %-27s PSN %d".formatted(from, bth.opcode(), bth.packetSequenceNumber()));
    for (HeaderKind kind : bth.opcode().headers()) {
        switch (kind) {
            case RETH -> text.add("RETH: write or read " + Reth.parse(frame).dmaLength() + " bytes");
            case AETH -> text.add("AETH: " + Aeth.parse(frame).meaning());
            default -> text.add(kind.toString());
        }
    }
    int payload = frame.remaining() - RoceV2Packet.ICRC_BYTES;
    return text.add(payload == 0 ? "" : payload + " bytes").toString().stripTrailing();
}

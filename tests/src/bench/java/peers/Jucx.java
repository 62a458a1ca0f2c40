// SPDX-License-Identifier: Apache-2.0
package peers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/// The exchange of [Disni] over JUCX: tagged messages. The ends swap their workers' addresses over TCP.
///
/// Arguments: `server|client ADDRESS PORT latency|stream BYTES OPERATIONS WARM-UP`, the same at both ends.
public final class Jucx implements Exchange.End {
    private static final int WINDOW = 16;
    private static final UcxCallback NOTHING = new UcxCallback();

    private final int bytes;
    private final UcpWorker worker;
    private final UcpEndpoint endpoint;
    private final long sending;
    private final long receiving;
    private final UcpRequest[] sends = new UcpRequest[WINDOW];
    private final UcpRequest[] receives = new UcpRequest[WINDOW];
    private long posted;
    private long sent;
    private long received;

    private Jucx(Socket socket, int bytes) throws IOException {
        this.bytes = bytes;
        var context = new UcpContext(new UcpParams().requestTagFeature());
        worker = context.newWorker(new UcpWorkerParams());
        var in = new DataInputStream(socket.getInputStream());
        var out = new DataOutputStream(socket.getOutputStream());
        ByteBuffer own = worker.getAddress();
        byte[] address = new byte[own.remaining()];
        own.get(address);
        out.writeInt(address.length);
        out.write(address);
        address = new byte[in.readInt()];
        in.readFully(address);
        endpoint = worker.newEndpoint(new UcpEndpointParams()
                .setUcpAddress(ByteBuffer.allocateDirect(address.length).put(address).flip()));
        sending = context.registerMemory(ByteBuffer.allocateDirect(bytes)).getAddress();
        receiving = context.registerMemory(ByteBuffer.allocateDirect(bytes * WINDOW)).getAddress();
        for (int slot = 0; slot < WINDOW; slot++) {
            receive(slot);
        }
    }

    private void receive(int slot) {
        receives[slot] = worker.recvTaggedNonBlocking(receiving + (long) slot * bytes, bytes, 1, -1, NOTHING);
    }

    private void complete(UcpRequest request) throws IOException {
        while (!request.isCompleted()) {
            progress();
        }
    }

    private void progress() throws IOException {
        try {
            if (worker.progress() == 0) {
                Thread.yield(); // SoftRoCE's threads need the processor
            }
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    /// Works on until the client has gone, for at most half a second. UCX completes sends before they have arrived.
    private void finish() {
        try {
            for (long end = System.nanoTime() + 500_000_000; System.nanoTime() < end;) {
                progress();
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    @Override
    public void send() {
        sends[(int) (posted++ % WINDOW)] = endpoint.sendTaggedNonBlocking(sending, bytes, 1, NOTHING);
    }

    @Override
    public void awaitSent(long count) throws IOException {
        for (; sent < count; sent++) {
            complete(sends[(int) (sent % WINDOW)]);
        }
    }

    @Override
    public void awaitReceived(long count) throws IOException {
        for (; received < count; received++) {
            int slot = (int) (received % WINDOW);
            complete(receives[slot]);
            receive(slot);
        }
    }

    static void main(String[] arguments) throws Exception {
        var exchange = new Exchange(arguments, 3);
        var address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        Jucx end;
        if (exchange.isClient()) {
            try (var socket = new Socket()) {
                socket.connect(address);
                end = new Jucx(socket, exchange.bytes());
            }
        } else {
            try (var listener = new ServerSocket()) {
                listener.bind(address);
                System.out.println("ready");
                try (Socket socket = listener.accept()) {
                    end = new Jucx(socket, exchange.bytes());
                }
            }
        }
        exchange.run(end);
        if (!exchange.isClient()) {
            end.finish();
        }
        System.exit(0); // endpoints of a peer that has gone are slow to close
    }
}

// SPDX-License-Identifier: Apache-2.0
package peers;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/// A ping-pong or a stream of sends over DiSNI's API, with stateful verb calls that are made once.
///
/// Arguments: `server|client ADDRESS PORT latency|stream BYTES OPERATIONS WARM-UP`, the same at both ends.
public final class Disni implements Exchange.End {
    private static final int RECEIVES = 512;
    private static final int TIMEOUT_MILLIS = 10_000;

    /// DiSNI's native library keeps addresses only.
    private static final List<ByteBuffer> REACHABLE = new ArrayList<>();

    private final Endpoint endpoint;

    private Disni(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    private static final class Endpoint extends RdmaEndpoint {
        private final int bytes;
        private final IbvWC[] completions = new IbvWC[32];
        private SVCPostSend send;
        private SVCPostRecv receive;
        private SVCPollCq poll;
        private long sent;
        private long received;

        Endpoint(RdmaPassiveEndpointGroup<Endpoint> group, RdmaCmId id, boolean server, int bytes) throws IOException {
            super(group, id, server);
            this.bytes = bytes;
        }

        @Override
        public void init() throws IOException {
            super.init();
            var sending = new IbvSendWR();
            sending.setWr_id(1);
            sending.setSg_list(buffer());
            sending.setNum_sge(1);
            sending.setOpcode(IbvSendWR.IBV_WR_SEND);
            sending.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            send = postSend(new LinkedList<>(List.of(sending)));
            var receiving = new IbvRecvWR();
            receiving.setWr_id(2);
            receiving.setSg_list(buffer());
            receiving.setNum_sge(1);
            receive = postRecv(new LinkedList<>(List.of(receiving)));
            for (int i = 0; i < completions.length; i++) {
                completions[i] = new IbvWC();
            }
            poll = getCqProvider().getCQ().poll(completions, completions.length);
            for (int i = 0; i < RECEIVES; i++) {
                receive.execute();
            }
        }

        private LinkedList<IbvSge> buffer() throws IOException {
            var buffer = ByteBuffer.allocateDirect(bytes);
            REACHABLE.add(buffer);
            IbvMr region = registerMemory(buffer).execute().free().getMr();
            var element = new IbvSge();
            element.setAddr(region.getAddr());
            element.setLength(bytes);
            element.setLkey(region.getLkey());
            return new LinkedList<>(List.of(element));
        }

        private void poll() throws IOException {
            int count = poll.execute().getPolls();
            if (count == 0) {
                Thread.yield(); // SoftRoCE's threads need the processor
            }
            for (int i = 0; i < count; i++) {
                if (completions[i].getStatus() != 0) {
                    throw new IOException("a completion has the status " + completions[i].getStatus());
                }
                if (completions[i].getOpcode() == IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode()) {
                    received++;
                    receive.execute();
                } else {
                    sent++;
                }
            }
        }
    }

    @Override
    public void send() throws IOException {
        endpoint.send.execute();
    }

    @Override
    public void awaitSent(long count) throws IOException {
        while (endpoint.sent < count) {
            endpoint.poll();
        }
    }

    @Override
    public void awaitReceived(long count) throws IOException {
        while (endpoint.received < count) {
            endpoint.poll();
        }
    }

    static void main(String[] arguments) throws Exception {
        var exchange = new Exchange(arguments, 3);
        var address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        var group = new RdmaPassiveEndpointGroup<Endpoint>(TIMEOUT_MILLIS, RECEIVES, 1, 4 * RECEIVES);
        group.getConnParam().setRetry_count((byte) 6);
        group.getConnParam().setRnr_retry_count((byte) 7);
        group.init((id, server) -> new Endpoint(group, id, server, exchange.bytes()));
        if (exchange.isClient()) {
            Endpoint endpoint = group.createEndpoint();
            endpoint.connect(address, TIMEOUT_MILLIS);
            exchange.run(new Disni(endpoint));
        } else {
            var listener = group.createServerEndpoint();
            listener.bind(address, 1);
            System.out.println("ready");
            exchange.run(new Disni(listener.accept()));
        }
        System.exit(0); // close() would wait for the peer
    }
}

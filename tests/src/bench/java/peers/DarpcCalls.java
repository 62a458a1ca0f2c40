// SPDX-License-Identifier: Apache-2.0
package peers;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCClientGroup;
import com.ibm.darpc.DaRPCFuture;
import com.ibm.darpc.DaRPCMessage;
import com.ibm.darpc.DaRPCProtocol;
import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerEvent;
import com.ibm.darpc.DaRPCServerGroup;
import com.ibm.darpc.DaRPCService;
import com.ibm.darpc.DaRPCStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/// Calls by DaRPC, with the settings of its example, but for the length of its queues.
final class DarpcCalls implements Calls.Library {
    private static final int QUEUE = 32;
    private static final int TIMEOUT_MILLIS = 100;

    /// An argument or a result.
    static final class Message implements DaRPCMessage {
        private final byte[] bytes = new byte[Calls.BYTES];

        @Override
        public int write(ByteBuffer buffer) {
            buffer.put(bytes);
            return bytes.length;
        }

        @Override
        public void update(ByteBuffer buffer) {
            buffer.get(bytes);
        }

        @Override
        public int size() {
            return bytes.length;
        }
    }

    private static class Protocol implements DaRPCProtocol<Message, Message> {
        @Override
        public Message createRequest() {
            return new Message();
        }

        @Override
        public Message createResponse() {
            return new Message();
        }
    }

    private static final class Service extends Protocol implements DaRPCService<Message, Message> {
        @Override
        public void processServerEvent(DaRPCServerEvent<Message, Message> event) throws IOException {
            System.arraycopy(event.getReceiveMessage().bytes, 0, event.getSendMessage().bytes, 0, Calls.BYTES);
            event.triggerResponse();
        }

        @Override
        public void open(DaRPCServerEndpoint<Message, Message> endpoint) {}

        @Override
        public void close(DaRPCServerEndpoint<Message, Message> endpoint) {}
    }

    private final DaRPCStream<Message, Message> stream;
    private final Message argument = new Message();

    DarpcCalls(InetSocketAddress address) throws Exception {
        var server = DaRPCServerGroup.createServerGroup(
                new Service(), new long[]{1}, -1, 0, false, QUEUE, QUEUE, QUEUE, QUEUE);
        var listener = server.createServerEndpoint();
        listener.bind(address, 1);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                listener.accept();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        DaRPCClientEndpoint<Message, Message> client = DaRPCClientGroup
                .createClientGroup(new Protocol(), TIMEOUT_MILLIS, 0, QUEUE, QUEUE)
                .createEndpoint();
        client.connect(address, 10_000);
        stream = client.createStream();
    }

    @Override
    public void call(int calls, int window) throws Exception {
        Queue<DaRPCFuture<Message, Message>> results = new ArrayDeque<>();
        for (int i = 0; i < calls; i++) {
            if (results.size() == window) {
                results.remove().get();
            }
            results.add(stream.request(argument, new Message(), false));
        }
        for (DaRPCFuture<Message, Message> result : results) {
            result.get();
        }
    }
}

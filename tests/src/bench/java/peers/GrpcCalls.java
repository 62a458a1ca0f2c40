// SPDX-License-Identifier: Apache-2.0
package peers;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Future;

/// Calls by gRPC over TCP, without a format of messages.
final class GrpcCalls implements Calls.Library {
    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };
    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("peers/echo")
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();

    private final byte[] argument = new byte[Calls.BYTES];
    private final ManagedChannel channel;

    GrpcCalls(InetSocketAddress address) throws IOException {
        NettyServerBuilder.forAddress(address)
                .directExecutor()
                .addService(ServerServiceDefinition.builder("peers")
                        .addMethod(METHOD, ServerCalls.asyncUnaryCall((value, answer) -> {
                            answer.onNext(value);
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress(address).usePlaintext().directExecutor().build();
    }

    @Override
    public void call(int calls, int window) throws Exception {
        Queue<Future<byte[]>> results = new ArrayDeque<>();
        for (int i = 0; i < calls; i++) {
            if (window == 1) {
                ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT, argument);
                continue;
            }
            if (results.size() == window) {
                results.remove().get();
            }
            results.add(ClientCalls.futureUnaryCall(channel.newCall(METHOD, CallOptions.DEFAULT), argument));
        }
        for (Future<byte[]> result : results) {
            result.get();
        }
    }
}

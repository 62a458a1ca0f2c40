// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.management.JMException;

/// Calls a server that answers each request with its body. The client is the JDK's.
final class HttpCalls {
    private static final int CONCURRENT = 20;

    private HttpCalls() {}

    static void check(int port) throws IOException, InterruptedException, JMException {
        URI uri = URI.create("http://" + Transports.HOST + ":" + port + "/");
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int size : new int[]{1, 1_000, 300_000, 2_000_000}) {
                byte[] body = body(size);
                var response = client.send(post(uri, body), BodyHandlers.ofByteArray());
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.body()).isEqualTo(body);
            }
            IntStream.range(0, CONCURRENT)
                    .mapToObj(i -> client.sendAsync(post(uri, body(10_000 + i)), BodyHandlers.ofByteArray()))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .map(HttpResponse::body)
                    .forEach(body -> assertThat(body).isEqualTo(body(body.length)));
        }
        Transports.assertOnlyRdma(2);
    }

    private static HttpRequest post(URI uri, byte[] body) {
        return HttpRequest.newBuilder(uri).POST(BodyPublishers.ofByteArray(body)).build();
    }

    private static byte[] body(int size) {
        byte[] body = new byte[size];
        new Random(size).nextBytes(body);
        return body;
    }
}

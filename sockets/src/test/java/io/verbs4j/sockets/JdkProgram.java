// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Random;

/// A program that uses only the JDK: HTTP with a server and two clients, and an echo over sockets of `java.net`.
final class JdkProgram {
    private static final int LENGTH = 300_000;

    private JdkProgram() {}

    /// @param arguments address and port of the HTTP server, and of the echo server
    public static void main(String... arguments) throws IOException, InterruptedException {
        byte[] body = new byte[LENGTH];
        new Random(LENGTH).nextBytes(body);
        http(address(arguments[0]), body);
        echo(address(arguments[1]), body);
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static void report(String what, byte[] sent, byte[] received) {
        System.out.println(what + ": " + (Arrays.equals(sent, received) ? "equal" : "different"));
    }

    private static void http(InetSocketAddress address, byte[] body) throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", JdkProgram::answer);
        server.start();
        var uri = URI.create("http://" + address.getHostString() + ":" + server.getAddress().getPort() + "/");
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
            report("HttpClient", body, client.send(request, BodyHandlers.ofByteArray()).body());
        }
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try (var out = connection.getOutputStream()) {
            out.write(body);
        }
        try (var in = connection.getInputStream()) {
            report("HttpURLConnection", body, in.readAllBytes());
        }
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] received = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, received.length);
        try (var out = exchange.getResponseBody()) {
            out.write(received);
        }
    }

    private static void echo(InetSocketAddress address, byte[] body) throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket()) {
            server.bind(address);
            Thread.ofPlatform().daemon().start(() -> {
                try (Socket peer = server.accept()) {
                    peer.getInputStream().transferTo(peer.getOutputStream());
                } catch (IOException e) {
                    e.printStackTrace();
                }
            });
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(20_000);
                Thread writing = Thread.ofPlatform().start(() -> {
                    try {
                        socket.getOutputStream().write(body);
                        socket.shutdownOutput();
                    } catch (IOException e) {
                        e.printStackTrace();
                    }
                });
                report("Socket", body, socket.getInputStream().readAllBytes());
                writing.join();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
/// A program that knows only the JDK. No network interface has the address, so TCP would not reach it.
void main() throws Exception {
    var address = InetAddress.ofLiteral("10.9.0.2");
    try (var server = new ServerSocket(7471, 50, address)) {
        Thread.ofPlatform().daemon().start(() -> {
            try (var peer = server.accept()) {
                peer.getInputStream().transferTo(peer.getOutputStream());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (var socket = new Socket(address, 7471)) {
            socket.getOutputStream().write("echoed".getBytes());
            socket.shutdownOutput();
            IO.println(new String(socket.getInputStream().readAllBytes()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.cm.*;
import io.verbs4j.types.*;
import java.net.InetSocketAddress;

InetSocketAddress address = new InetSocketAddress("10.9.0.2", 7471);        // the second simulated device
ConnectionOptions options = ConnectionOptions.defaults().withMessages(16, 1024);

void main() throws Exception {
    try (var server = RdmaServer.listen(address, options)) {
        var serving = Thread.ofPlatform().start(() -> serve(server));
        try (var connection = RdmaConnection.connect(address, options)) {
            var memory = connection.protectionDomain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            connection.messages().send(memory.remote().toString());         // address, length and key, as text
            IO.println(connection.messages().receiveText());
            IO.println(memory.segment().getString(0));
        }
        serving.join();
    }
}

void serve(RdmaServer server) {
    try (var connection = server.accept()) {
        var theirs = RemoteMemory.parse(connection.messages().receiveText());
        var ours = connection.protectionDomain().allocate(64, Access.LOCAL_WRITE);
        ours.segment().setString(0, "Hello from " + connection.context().device().name());
        connection.queuePair().post(new SendWorkRequest().write().local(ours.slice(0, 64)).remote(theirs.slice(0, 64)));
        connection.messages().send("I have written to your memory");        // delivered after the write
    } catch (InterruptedException e) {
        throw new IllegalStateException(e);
    }
}

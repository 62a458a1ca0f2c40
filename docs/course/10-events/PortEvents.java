// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;
import java.time.Duration;

void main() throws Exception {
    try (var context = Devices.open("rxe0")) {
        var events = context.asyncEvents();
        ip("address", "add", "10.9.7.7/32", "dev", "veth0");
        IO.println(events.take(Duration.ofSeconds(10)));
        ip("address", "del", "10.9.7.7/32", "dev", "veth0");
        IO.println(events.take(Duration.ofSeconds(10)));
    }
}

void ip(String... arguments) throws Exception {
    var command = new java.util.ArrayList<>(java.util.List.of(arguments));
    command.addFirst("ip");
    new ProcessBuilder(command).inheritIO().start().waitFor();
}

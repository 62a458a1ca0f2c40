// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;
import java.lang.foreign.*;

void main() {
    try (var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        refused(() -> domain.allocate(4096, Access.REMOTE_WRITE));
        refused(() -> domain.register(MemorySegment.ofArray(new byte[4096]), Access.LOCAL_WRITE));
        var memory = domain.allocate(4096, Access.LOCAL_WRITE);
        refused(() -> memory.slice(4000, 200));
        var queue = context.createCompletionQueue(1);
        domain.reliableConnection(queue).create();
        refused(domain::close);
    }
}

void refused(Runnable mistake) {
    try {
        mistake.run();
        IO.println("not refused");
    } catch (RuntimeException e) {
        IO.println(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
}

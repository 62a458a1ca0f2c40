// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;

void main() {
    try (var context = Devices.open("rxe0")) {
        for (GidEntry entry : context.gids()) {
            if (entry.type().equals(GidType.ROCE_V2) && entry.gid().isIpv4Mapped()) {
                IO.println("GID " + entry.index() + " is " + entry.gid().toInetAddress().getHostAddress());
            }
        }
        try {
            context.gid(1, 1000);
        } catch (VerbsException e) {
            IO.println(e.getMessage());
        }
    }
}

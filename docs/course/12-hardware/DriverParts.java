// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.spi.ProviderFactory;
import java.util.*;

void main() {
    var device = Devices.find("rxe0");
    IO.println("%s has driver %d with ABI %d".formatted(
            device.name(), device.driverId(), device.driverAbiVersion()));
    for (ProviderFactory factory : ServiceLoader.load(ProviderFactory.class)) {
        if (factory.driverId() != device.driverId()) {
            continue;
        }
        var abi = factory.abi();
        IO.println("provider for kernel module " + abi.module());
        for (var command : CommandCatalogue.all()) {
            abi.request(command).ifPresent(struct -> show(command.operation() + ", request", struct));
        }
        for (var command : CommandCatalogue.all()) {
            abi.response(command).ifPresent(struct -> show(command.operation() + ", answer", struct));
        }
    }
}

void show(String title, CStruct struct) {
    IO.println("  " + title + ": struct " + struct.name() + ", " + struct.size() + " bytes");
    for (CStruct.Field field : struct.fields()) {
        IO.println("    +" + field.offset() + " " + field.path());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;

/// A request of certain numbers and texts.
final class RefusedRequest extends DecodedCommand {
    private final CommandSpecification verb;

    /// @param fields `name=number` or `name=text:text`, with spaces between them
    RefusedRequest(ObjectNames names, CommandSpecification verb, String fields) {
        this(names, DriverAbi.NONE, verb, fields);
    }

    RefusedRequest(ObjectNames names, DriverAbi driver, CommandSpecification verb, String fields) {
        super(names, driver);
        this.verb = verb;
        for (String field : fields.isEmpty() ? new String[0] : fields.split(" ", -1)) {
            int equals = field.indexOf('=');
            String value = field.substring(equals + 1);
            if (value.contains(":")) {
                texts.put(field.substring(0, equals), value);
            } else {
                given.put(field.substring(0, equals), Long.decode(value));
            }
        }
    }

    @Override
    CommandSpecification verb() {
        return verb;
    }

    @Override
    String command() {
        return "";
    }

    @Override
    String transport() {
        return "";
    }

    @Override
    void finish(int result) {}
}

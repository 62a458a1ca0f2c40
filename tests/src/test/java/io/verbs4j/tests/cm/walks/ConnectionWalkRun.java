// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import io.verbs4j.tests.walks.WalkSearch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Takes a walk on a device and on the model side by side.
final class ConnectionWalkRun {
    private static final long PAUSE_NANOS = 100_000;

    /// An executed command, and the model's outcome.
    ///
    /// @param addresses the identifier's addresses afterwards
    record Taken(Command command, String outcome, List<String> events, String addresses) {
        @Override
        public String toString() {
            return command + ": " + outcome + events.stream().map(event -> "; " + event).collect(Collectors.joining());
        }
    }

    private static final class Deviation extends WalkSearch.Deviation {
        private static final long serialVersionUID = 1;

        private final transient List<Taken> taken;

        private Deviation(String message, List<Taken> taken, @Nullable Throwable cause) {
            super(message, cause);
            this.taken = List.copyOf(taken);
        }

        @Override
        protected String program() {
            return "These steps show it; behind each is what the model says of it:\n"
                    + taken.stream().map(each -> "  " + each + "\n").collect(Collectors.joining());
        }
    }

    private final ConnectionModel model = new ConnectionModel();
    private final Admission admission = new Admission(model);
    private final ConnectionDevice device;
    private final Duration limit;
    private final List<Taken> taken = new ArrayList<>();

    private ConnectionWalkRun(ConnectionDevice device, Duration limit) {
        this.device = device;
        this.limit = limit;
    }

    /// Executes a walk to its end or to the first difference.
    ///
    /// @param limit timeout for results that the model expects
    /// @return the executed commands
    /// @throws WalkSearch.Deviation if device and model differ, or another exception is thrown
    static List<Taken> take(List<Command> walk, ConnectionDevice device, Duration limit) {
        var run = new ConnectionWalkRun(device, limit);
        try (device) {
            walk.forEach(run::step);
            // Nothing is left but what was said.
            for (int number : List.copyOf(run.model.open().keySet())) {
                run.take(new Command(Command.Kind.CLOSE, number, Place.ANY, 0, 0, false));
            }
            return List.copyOf(run.taken);
        } catch (Deviation e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw new Deviation("step " + (run.taken.size() - 1) + " or after it: " + e, run.taken, e);
        }
    }

    private void step(Command wish) {
        Command command = admission.admit(wish);
        if (command != null) {
            take(command);
        }
    }

    private void take(Command command) {
        String outcome = model.perform(command);
        List<String> events = model.events();
        String addresses = model.addresses(command.identifier());
        taken.add(new Taken(command, outcome, events, addresses));
        expect("the outcome", outcome, device.perform(command));
        expect("the events", String.join("; ", events), String.join("; ", await(events.size())));
        if (!addresses.isEmpty()) {
            expect("the addresses", addresses, device.addresses(command.identifier()));
        }
    }

    private List<String> await(int count) {
        var come = new ArrayList<String>();
        long deadline = System.nanoTime() + limit.toNanos();
        do {
            if (!come.isEmpty() || count > 0) {
                LockSupport.parkNanos(PAUSE_NANOS); // the kernel's half of the work needs a processor too
            }
            come.addAll(device.events());
        } while (come.size() < count && System.nanoTime() - deadline < 0);
        return come.stream().sorted().toList();
    }

    private void expect(String what, String expected, String actual) {
        if (!expected.equals(actual)) {
            throw new Deviation(
                    "step " + (taken.size() - 1) + ", " + taken.getLast().command() + ":\n  " + what + ": " + actual
                            + "\n  expected: " + expected,
                    taken, null);
        }
    }
}

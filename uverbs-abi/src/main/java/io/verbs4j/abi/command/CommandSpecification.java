// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.failure.Operation;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The description of one command: its name, its encodings, the structs of request and response, the object that it
/// creates or changes, and the meanings of its error numbers.
///
/// Each command's class has one, called `SPECIFICATION`. The execution, the trace, the diagnosis and the `abi` tool
/// read it. `CommandCatalogue` lists them. Immutable: each method returns another specification. Two are equal only if
/// they are the same object.
public final class CommandSpecification implements Operation {
    private final String operation;
    private final List<CommandEncoding> encodings;
    private final Effect effect;
    private final Optional<UverbsObject> object;
    private final Map<Integer, String> causes;
    private final Optional<Integer> limit;

    /// The effect of a successful command on its object.
    public enum Effect {
        /// Reads, or changes nothing that has a handle.
        READS,
        /// Creates the object.
        MAKES,
        /// Changes the object that the handle refers to.
        CHANGES,
        /// Destroys the object that the handle refers to.
        DESTROYS
    }

    private CommandSpecification(
            String operation,
            List<CommandEncoding> encodings,
            Effect effect,
            Optional<UverbsObject> object,
            Map<Integer, String> causes,
            Optional<Integer> limit) {
        this.operation = operation;
        this.encodings = List.copyOf(encodings);
        this.effect = effect;
        this.object = object;
        this.causes = Map.copyOf(causes);
        this.limit = limit;
    }

    /// Starts a specification that has a name only.
    ///
    /// @param operation the command's name in errors, such as `create completion queue`
    public static CommandSpecification of(String operation) {
        return new CommandSpecification(
                operation, List.of(), Effect.READS, Optional.empty(), Map.of(), Optional.empty());
    }

    /// Adds a method of the ioctl interface.
    ///
    /// @param since the approximate Linux release that introduced the method
    public CommandSpecification method(UverbsMethod method, String since) {
        return encoding(new CommandEncoding.Method(method, since));
    }

    /// Adds a write command.
    ///
    /// @param since the approximate Linux release that introduced the command
    public CommandSpecification write(IbUserVerbsCmd command, String since) {
        return encoding(new CommandEncoding.Write(command, since));
    }

    /// Adds a command of the connection manager.
    ///
    /// @param since the approximate Linux release that introduced it
    public CommandSpecification connectionManager(RdmaUcmCmd command, String since) {
        return encoding(new CommandEncoding.ConnectionManager(command, since));
    }

    private CommandSpecification encoding(CommandEncoding encoding) {
        var all = new ArrayList<>(encodings);
        all.add(encoding);
        return new CommandSpecification(operation, all, effect, object, causes, limit);
    }

    /// Sets the kind of object that the command creates.
    public CommandSpecification makes(UverbsObject made) {
        return affects(Effect.MAKES, made);
    }

    /// Sets the kind of object that the command changes.
    public CommandSpecification changes(UverbsObject changed) {
        return affects(Effect.CHANGES, changed);
    }

    /// Sets the kind of object that the command destroys.
    public CommandSpecification destroys(UverbsObject destroyed) {
        return affects(Effect.DESTROYS, destroyed);
    }

    /// Sets the kind of object that the command reads.
    public CommandSpecification reads(UverbsObject read) {
        return affects(Effect.READS, read);
    }

    private CommandSpecification affects(Effect what, UverbsObject affected) {
        return new CommandSpecification(
                operation, encodings, what, Optional.of(affected), causes, limit);
    }

    /// Adds the meaning of an error number for this command.
    ///
    /// @param cause the likely cause and remedy, without a full stop
    public CommandSpecification cause(int errno, String cause) {
        return causes(Map.of(errno, cause));
    }

    /// Adds the meanings of error numbers for this command.
    public CommandSpecification causes(Map<Integer, String> more) {
        var all = new HashMap<>(causes);
        all.putAll(more);
        return new CommandSpecification(operation, encodings, effect, object, all, limit);
    }

    /// Adds an error number that means a limit was reached, in addition to those that always mean it.
    public CommandSpecification limit(int errno) {
        return new CommandSpecification(
                operation, encodings, effect, object, causes, Optional.of(errno));
    }

    @Override
    public String operation() {
        return operation;
    }

    @Override
    public Map<Integer, String> causes() {
        return causes;
    }

    @Override
    public Map<Integer, String> generalCauses() {
        return isOfConnectionManager() ? GeneralCauses.OF_CONNECTION_MANAGER : GeneralCauses.OF_VERBS;
    }

    private boolean isOfConnectionManager() {
        return encodings.stream().anyMatch(CommandEncoding.ConnectionManager.class::isInstance);
    }

    @Override
    public boolean isLimit(int errno) {
        return (limit.isPresent() && limit.get() == errno)
                || (errno == Errno.EAGAIN && !isOfConnectionManager());
    }

    /// Returns the encodings of the command, the preferred one first.
    public List<CommandEncoding> encodings() {
        return encodings;
    }

    /// Returns the effect on the command's object.
    public Effect effect() {
        return effect;
    }

    /// Returns the kind of the command's object; empty if it has none with a handle.
    public Optional<UverbsObject> object() {
        return object;
    }

    /// Returns the first method.
    ///
    /// @throws IllegalStateException if the command has none
    UverbsMethod method() {
        return first(CommandEncoding.Method.class).method();
    }

    /// Returns the first write command.
    ///
    /// @throws IllegalStateException if the command has none
    IbUserVerbsCmd write() {
        return first(CommandEncoding.Write.class).command();
    }

    /// Returns the command of the connection manager.
    ///
    /// @throws IllegalStateException if the command is a verb
    public RdmaUcmCmd connectionManager() {
        return first(CommandEncoding.ConnectionManager.class).command();
    }

    private <E extends CommandEncoding> E first(Class<E> kind) {
        for (CommandEncoding encoding : encodings) {
            if (kind.isInstance(encoding)) {
                return kind.cast(encoding);
            }
        }
        throw new IllegalStateException(this + " has no encoding of the kind " + kind.getSimpleName());
    }

    @Override
    public String toString() {
        return operation;
    }
}

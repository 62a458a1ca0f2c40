// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import module io.verbs4j.abi;

/// All commands, for explaining, listing, decoding or answering them. A program that only executes commands never loads
/// this class.
public final class CommandCatalogue {
    private static final List<CommandSpecification> ALL = List.of(
            GetContext.SPECIFICATION,
            QueryDevice.SPECIFICATION,
            QueryPort.SPECIFICATION,
            QueryGidTable.SPECIFICATION,
            QueryGidEntry.SPECIFICATION,
            AllocateProtectionDomain.SPECIFICATION,
            DeallocateProtectionDomain.SPECIFICATION,
            RegisterMemory.SPECIFICATION,
            ReregisterMemory.SPECIFICATION,
            DeregisterMemory.SPECIFICATION,
            AdviseMemory.SPECIFICATION,
            QueryMemory.SPECIFICATION,
            AllocateMemoryWindow.SPECIFICATION,
            DeallocateMemoryWindow.SPECIFICATION,
            CreateAddressHandle.SPECIFICATION,
            DestroyAddressHandle.SPECIFICATION,
            CreateCompletionChannel.SPECIFICATION,
            CreateCompletionQueue.SPECIFICATION,
            ResizeCompletionQueue.SPECIFICATION,
            RequestNotification.SPECIFICATION,
            DestroyCompletionQueue.SPECIFICATION,
            CreateSharedReceiveQueue.SPECIFICATION,
            ModifySharedReceiveQueue.SPECIFICATION,
            QuerySharedReceiveQueue.SPECIFICATION,
            DestroySharedReceiveQueue.SPECIFICATION,
            CreateQueuePair.SPECIFICATION,
            ModifyQueuePair.SPECIFICATION,
            QueryQueuePair.SPECIFICATION,
            DestroyQueuePair.SPECIFICATION,
            PostSendDoorbell.SPECIFICATION,
            AttachMulticast.SPECIFICATION,
            DetachMulticast.SPECIFICATION,
            Accept.SPECIFICATION,
            BindAddress.SPECIFICATION,
            Connect.SPECIFICATION,
            CreateIdentifier.SPECIFICATION,
            DestroyIdentifier.SPECIFICATION,
            Disconnect.SPECIFICATION,
            GetEvent.SPECIFICATION,
            InitQueuePairAttributes.SPECIFICATION,
            JoinMulticast.SPECIFICATION,
            LeaveMulticast.SPECIFICATION,
            Listen.SPECIFICATION,
            MigrateIdentifier.SPECIFICATION,
            Notify.SPECIFICATION,
            QueryAddresses.SPECIFICATION,
            Reject.SPECIFICATION,
            ResolveAddress.SPECIFICATION,
            ResolveRoute.SPECIFICATION,
            SetOption.SPECIFICATION,
            WriteEvent.SPECIFICATION);
    private static final List<UverbsMethod> METHODS = new ArrayList<>(List.of(InvokeWrite.METHOD));
    private static final Map<Object, CommandSpecification> BY_ENCODING = new HashMap<>();
    private static final Map<Integer, IbUserVerbsCmd> WRITES = new TreeMap<>();
    private static final Map<Integer, RdmaUcmCmd> CONNECTION_MANAGER = new TreeMap<>();

    static {
        for (CommandSpecification specification : ALL) {
            for (CommandEncoding encoding : specification.encodings()) {
                Object key = add(encoding);
                CommandSpecification other = BY_ENCODING.put(key, specification);
                if (other != null) {
                    throw new IllegalStateException(key + " belongs to '" + other + "' and '" + specification + "'");
                }
            }
        }
        UnsentCommands.ALL.forEach(command -> add(CONNECTION_MANAGER, command.number(), command));
    }

    private CommandCatalogue() {}

    /// Not a switch over types, whose `invokedynamic` would take a new JVM some milliseconds.
    ///
    /// @return the method or command
    private static Object add(CommandEncoding encoding) {
        if (encoding instanceof CommandEncoding.Method(var method, _)) {
            METHODS.add(method);
            return method;
        }
        if (encoding instanceof CommandEncoding.Write(var command, _)) {
            add(WRITES, command.command(), command);
            return command;
        }
        RdmaUcmCmd command = ((CommandEncoding.ConnectionManager) encoding).command();
        add(CONNECTION_MANAGER, command.number(), command);
        return command;
    }

    private static <C> void add(Map<Integer, C> commands, int number, C command) {
        C other = commands.put(number, command);
        if (other != null) {
            throw new IllegalStateException(command + " and " + other + " have the same number");
        }
    }

    /// Returns all commands: verbs, then those of the connection manager.
    public static List<CommandSpecification> all() {
        return ALL;
    }

    /// Returns all methods of the core that commands use, and the one that carries write commands.
    public static List<UverbsMethod> methods() {
        return List.copyOf(METHODS);
    }

    /// Returns the method with two numbers; empty if no command has it.
    public static Optional<UverbsMethod> method(int objectId, int methodId) {
        for (UverbsMethod method : METHODS) {
            if (method.is(objectId, methodId)) {
                return Optional.of(method);
            }
        }
        return Optional.empty();
    }

    /// Returns the command of a method; empty for [InvokeWrite#METHOD], which carries all commands, and for a driver's
    /// own methods.
    public static Optional<CommandSpecification> of(UverbsMethod method) {
        return Optional.ofNullable(BY_ENCODING.get(method));
    }

    /// Returns the command that a write command encodes.
    public static CommandSpecification of(IbUserVerbsCmd command) {
        CommandSpecification specification = BY_ENCODING.get(command);
        if (specification == null) {
            throw new IllegalStateException("no specification has the write command " + command);
        }
        return specification;
    }

    /// Returns the command that a command number of the connection manager stands for; empty if verbs4j never sends it.
    public static Optional<CommandSpecification> of(RdmaUcmCmd command) {
        return Optional.ofNullable(BY_ENCODING.get(command));
    }

    /// Returns the write commands of all verbs.
    public static List<IbUserVerbsCmd> writes() {
        return List.copyOf(WRITES.values());
    }

    /// Returns the write command with a number, including its bit 31; empty if no command has it.
    public static Optional<IbUserVerbsCmd> write(int number) {
        return Optional.ofNullable(WRITES.get(number));
    }

    /// Returns all commands of the connection manager, ordered by number, including those that verbs4j never sends.
    public static List<RdmaUcmCmd> connectionManager() {
        return List.copyOf(CONNECTION_MANAGER.values());
    }

    /// Returns the connection manager's command with a number; empty if no known kernel has it.
    public static Optional<RdmaUcmCmd> connectionManager(int number) {
        return Optional.ofNullable(CONNECTION_MANAGER.get(number));
    }
}

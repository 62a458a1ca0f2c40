// SPDX-License-Identifier: Apache-2.0
// A table: what is true in each environment.
package io.verbs4j.tests.environments;

import static io.verbs4j.tests.environments.Fact.*;
import static io.verbs4j.tests.environments.Kind.*;
import static io.verbs4j.tests.environments.Outcome.fails;
import static io.verbs4j.tests.environments.Outcome.mayFail;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// A disturbed environment: how it is made, and what is true in it. Where nothing else stands, a command does its work.
///
/// The facts are those of Linux: what a refused system call returns is written in the kernel's sources and manual
/// pages. No sentence of ours is the measure.
enum Environment {
    PLAIN(""),

    // Files
    NO_SYSFS("mount -t tmpfs none /sys",
            of(fails("ENODEV", SYSFS_IS_HIDDEN), LIST, LOOK, OPEN, DATA, CONNECT, CAPTURE, TRACE),
            of(fails("", SYSFS_IS_HIDDEN), DOCTOR)),
    NO_SYSFS_OF_DEVICES("mount -t tmpfs none /sys/class/infiniband",
            of(mayFail("ENODEV", SYSFS_IS_HIDDEN), LIST, LOOK, OPEN, DATA, CONNECT, TRACE, DOCTOR)),
    NO_SYSFS_OF_VERBS("mount -t tmpfs none /sys/class/infiniband_verbs",
            of(mayFail("ENODEV", SYSFS_IS_HIDDEN), LIST, LOOK, OPEN, DATA, CONNECT, TRACE, DOCTOR)),
    NO_SYSFS_OF_NETWORKS("mount -t tmpfs none /sys/class/net",
            of(mayFail("", SYSFS_IS_HIDDEN), TRACE, CAPTURE, DOCTOR)),
    READ_ONLY_SYSFS("mount -o remount,bind,ro /sys"),
    NO_NODES("mount -t tmpfs none /dev/infiniband",
            of(fails("ENOENT", NODE_IS_MISSING), OPEN, DATA, CONNECT, TRACE),
            of(fails("ENOENT", NODE_IS_MISSING), DOCTOR)),
    NO_DEV(
            "mount -t tmpfs none /mnt; cp -a /dev/null /dev/zero /dev/random /dev/urandom /mnt; mount --move /mnt /dev",
            of(fails("ENOENT", NODE_IS_MISSING), OPEN, DATA, CONNECT, TRACE, DOCTOR)),
    NO_NODE_OF_THE_CONNECTION_MANAGER(nodes("rm rdma_cm"), of(fails("ENOENT", NODE_IS_MISSING), CONNECT),
            of(mayFail("ENOENT", NODE_IS_MISSING), DOCTOR)),
    NODES_ARE_FILES(nodes("for n in *; do rm $n; touch $n; done"),
            of(fails("ENOTTY EINVAL EBADF", NODE_IS_SOMETHING_ELSE), OPEN, DATA, CONNECT, TRACE, DOCTOR)),
    NODES_ARE_NULL(nodes("for n in *; do rm $n; cp -a /dev/null $n; done"),
            of(fails("ENOTTY EINVAL", NODE_IS_SOMETHING_ELSE), OPEN, DATA, CONNECT, TRACE, DOCTOR)),
    NODES_ON_A_FILE_SYSTEM_WITHOUT_DEVICES(nodes("mount -o remount,nodev /dev/infiniband"),
            of(fails("EACCES", NODES_ARE_IGNORED), OPEN, DATA, CONNECT, TRACE, DOCTOR)),
    NODES_OF_ANOTHER_DRIVER(nodes("for n in uverbs*; do rm $n; mknod $n c 231 250; done"), // EINVAL is verbs4j's: it compares the numbers of a node with those in sysfs
            of(fails("ENXIO ENODEV EINVAL", NODE_IS_SOMETHING_ELSE, NODE_IS_MISSING, DEVICE_IS_GONE), OPEN, DATA,
                    CONNECT,
                    TRACE,
                    DOCTOR)),
    // From within, because Java does not start without.
    NO_PROC("", "mount -t tmpfs none /proc"),
    NO_TMP("mount --bind $FOLDER $FOLDER; mount --rbind /tmp /tmp; mount -o remount,bind,ro /tmp"),
    READ_ONLY_FOLDER("mount -t tmpfs -o ro none $FOLDER", of(fails("EROFS", DISK_IS_READ_ONLY), FILE),
            of(mayFail("EROFS", DISK_IS_READ_ONLY), CONNECT)),
    FULL_FOLDER("mount -t tmpfs -o size=4k none $FOLDER; head -c 8k /dev/zero >$FOLDER/x 2>/dev/null || true",
            of(fails("ENOSPC", DISK_IS_FULL), FILE), of(mayFail("ENOSPC", DISK_IS_FULL), CONNECT)),

    // Users and their capabilities
    ORDINARY_USER(user(""), of(fails("EPERM", LACKS_NET_ADMIN), LINK),
            of(fails("EPERM", LACKS_NET_RAW), CAPTURE, TRACE),
            of(fails("EACCES", FILE_IS_FORBIDDEN), FILE), of(mayFail("EACCES", FILE_IS_FORBIDDEN), CONNECT),
            usualLimitOfLockedMemory()),
    ORDINARY_USER_WITHOUT_NODES(nodes("chmod 600 *; cd /") + user(""),
            of(fails("EACCES", NODE_IS_FORBIDDEN), OPEN, DATA, CONNECT),
            of(fails("EACCES", NODE_IS_FORBIDDEN, MAY_LOCK_TOO_LITTLE), DOCTOR),
            of(fails("EACCES", FILE_IS_FORBIDDEN), FILE),
            of(fails("EPERM", LACKS_NET_ADMIN), LINK), of(fails("EPERM", LACKS_NET_RAW), CAPTURE),
            of(fails("EPERM EACCES", LACKS_NET_RAW, NODE_IS_FORBIDDEN), TRACE)),
    ROOT_WITHOUT_CAPABILITIES(without("all"), of(fails("EPERM", LACKS_NET_ADMIN), LINK),
            of(fails("EPERM", LACKS_NET_RAW), CAPTURE, TRACE), usualLimitOfLockedMemory()),
    WITHOUT_NET_RAW(without("net_raw"), of(fails("EPERM", LACKS_NET_RAW), CAPTURE, TRACE)),
    WITHOUT_NET_ADMIN(without("net_admin"), of(fails("EPERM", LACKS_NET_ADMIN), LINK)),
    WITHOUT_IPC_LOCK(without("ipc_lock"), usualLimitOfLockedMemory()),
    WITHOUT_SYS_ADMIN(without("sys_admin")),
    WITHOUT_SYS_PTRACE(without("sys_ptrace")),
    WITHOUT_SYS_RESOURCE(without("sys_resource")),
    WITHOUT_DAC_OVERRIDE(nodes("chmod 0 *; cd /") + without("dac_override"),
            of(fails("EACCES", NODE_IS_FORBIDDEN), OPEN, DATA, CONNECT, DOCTOR, TRACE)),
    USER_NAMESPACE("exec unshare --user --map-root-user \"$@\"", of(fails("EPERM", LACKS_NET_ADMIN), LINK),
            of(fails("EPERM", LACKS_NET_RAW), CAPTURE, TRACE), usualLimitOfLockedMemory()),

    // Limits of the process
    NO_LOCKED_MEMORY("prlimit --pid $$ --memlock=0; " + without("ipc_lock"),
            of(fails("ENOMEM EPERM", MAY_LOCK_TOO_LITTLE), DATA, DOCTOR), // cmtime registers no memory
            of(mayFail("ENOMEM EPERM", MAY_LOCK_TOO_LITTLE), CONNECT)),
    LITTLE_LOCKED_MEMORY("prlimit --pid $$ --memlock=4096; " + without("ipc_lock"),
            of(mayFail("ENOMEM EPERM", MAY_LOCK_TOO_LITTLE), DATA, CONNECT, DOCTOR)),
    NO_DESCRIPTOR("", "prlimit --pid $PPID --nofile=$(ls /proc/$PPID/fd | sort -n | tail -1)",
            of(mayFail("EMFILE", HAS_NO_DESCRIPTOR), Kind.values())),
    FEW_DESCRIPTORS("", "prlimit --pid $PPID --nofile=$(($(ls /proc/$PPID/fd | sort -n | tail -1) + 3))",
            of(mayFail("EMFILE", HAS_NO_DESCRIPTOR), Kind.values())),
    NO_THREADS(user(""), "prlimit --pid $PPID --nproc=1",
            of(mayFail("EAGAIN", MAY_START_NO_THREAD), DATA),
            of(mayFail("EAGAIN EACCES", MAY_START_NO_THREAD, FILE_IS_FORBIDDEN), CONNECT),
            of(fails("EPERM", LACKS_NET_ADMIN), LINK),
            of(fails("EPERM", LACKS_NET_RAW), CAPTURE, TRACE), of(fails("EACCES", FILE_IS_FORBIDDEN), FILE),
            of(fails("EAGAIN", MAY_START_NO_THREAD, MAY_LOCK_TOO_LITTLE), DOCTOR)),
    NO_FILE_SIZE("prlimit --fsize=0 \"$@\" | cat", of(fails("EFBIG", FILE_IS_TOO_LONG), FILE),
            of(mayFail("EFBIG", FILE_IS_TOO_LONG), CONNECT)),
    NO_SIGNALS("prlimit --pid $$ --sigpending=0"),
    // With no room at all, the virtual machine aborts.
    LITTLE_DATA("", "prlimit --pid $PPID --data=$(awk '/VmData/ { print ($2 + 65536) * 1024 }' /proc/$PPID/status)"),
    OTHER_LIMITS("prlimit --pid $$ --core=0 --locks=0 --msgqueue=0 --nice=0 --rtprio=0 --rttime=1000000 --rss=0"),

    // Control groups
    NO_CONTEXTS(group("rdma", "echo 'rxe0 hca_handle=0' >rdma.max; echo 'rxe1 hca_handle=0' >rdma.max"),
            of(fails("EAGAIN", GROUP_LIMITS_OBJECTS), OPEN, DATA, CONNECT, DOCTOR, TRACE)),
    FEW_OBJECTS(group("rdma",
            "echo 'rxe0 hca_handle=max hca_object=2' >rdma.max; echo 'rxe1 hca_handle=max hca_object=2' >rdma.max"),
            of(fails("EAGAIN", GROUP_LIMITS_OBJECTS), DATA, CONNECT, DOCTOR)),
    NO_DEVICE_RULES(
            "mkdir $FOLDER/g; mount -t cgroup -o devices none $FOLDER/g; mkdir -p $FOLDER/g/x; cd $FOLDER/g/x;"
                    + " echo 'c 231:* rwm' >devices.deny; echo $$ >cgroup.procs; cd /; umount $FOLDER/g",
            of(fails("EPERM", DEVICE_RULES_FORBID), OPEN, DATA, CONNECT, TRACE, DOCTOR)),

    // Namespaces
    ANOTHER_NETWORK_NAMESPACE("exec unshare --net sh -ec 'ip link set lo up; exec \"$@\"' sh \"$@\"",
            of(mayFail("ENODEV EADDRNOTAVAIL ENETUNREACH", ADDRESS_IS_MISSING, ROUTE_IS_MISSING, DEVICE_IS_GONE,
                    DEVICE_IS_ELSEWHERE, INTERFACE_IS_ELSEWHERE),
                    DATA, CONNECT, LINK, TRACE),
            of(mayFail("", INTERFACE_IS_ELSEWHERE, UDP_PORT_IS_CLOSED), DOCTOR)),
    EXCLUSIVE_NETWORK_NAMESPACE(
            "rdma system set netns exclusive; ip netns add blind; exec ip netns exec blind \"$@\"",
            of(mayFail("ENODEV", DEVICE_IS_ELSEWHERE, DEVICE_IS_GONE), LIST, LOOK, NETLINK, OPEN, DATA, TRACE, DOCTOR),
            of(mayFail("ENODEV", DEVICE_IS_ELSEWHERE, DEVICE_IS_GONE, INTERFACE_IS_ELSEWHERE), LINK),
            of(mayFail("ENODEV EADDRNOTAVAIL ENETUNREACH", DEVICE_IS_ELSEWHERE, ADDRESS_IS_MISSING, ROUTE_IS_MISSING),
                    CONNECT)),
    ANOTHER_PROCESS_NAMESPACE("exec unshare --pid --fork --mount-proc \"$@\""),
    OTHER_NAMESPACES("exec unshare --ipc --uts --cgroup --time \"$@\""),

    // Networks; the device is rxe8 on dummy8
    // Without -b, the servers listen at the wildcard of IPv4, as those in C do.
    IPV6_ONLY(onItsOwn("ip addr add fd00:8::1/64 dev dummy8 nodad"),
            of(mayFail("ECONNREFUSED", LISTENER_IS_ELSEWHERE), CONNECT), // a warning that there is no IPv4 address
            of(mayFail("", ADDRESS_IS_MISSING), DOCTOR)),
    LINK_LOCAL_ONLY(onItsOwn("true"),
            of(mayFail("EADDRNOTAVAIL ENODEV EINVAL ENETUNREACH", ADDRESS_IS_MISSING, ROUTE_IS_MISSING), CONNECT),
            of(mayFail("", ADDRESS_IS_MISSING), DOCTOR)),
    INTERFACE_IS_DOWN(onItsOwn("ip addr add 10.9.88.1/24 dev dummy8; ip link set dummy8 down"),
            of(mayFail("ENODEV EADDRNOTAVAIL ENETUNREACH ETIMEDOUT ENETDOWN", LINK_IS_DOWN, ADDRESS_IS_MISSING,
                    ROUTE_IS_MISSING, PEER_IS_SILENT),
                    DATA, CONNECT, DOCTOR)),
    ADDRESS_ON_A_VLAN(
            onItsOwn("ip link add link dummy8 name dummy8.5 type vlan id 5; ip link set dummy8.5 up;"
                    + " ip addr add 10.9.88.1/24 dev dummy8.5")),
    BOND(
            "ip link add dummy8 type bond; ip link set dummy8 up; ip addr add 10.9.88.1/24 dev dummy8;"
                    + " rdma link add rxe8 type rxe netdev dummy8; cd /",
            of(mayFail("", LINK_IS_DOWN), DATA, CONNECT, DOCTOR)),
    RENAMED_INTERFACE(
            onItsOwn("ip addr add 10.9.88.1/24 dev dummy8; ip link set dummy8 down; ip link set dummy8 name odd8;"
                    + " ip link set odd8 up")),
    RENAMED_DEVICE(onItsOwn("ip addr add 10.9.88.1/24 dev dummy8; rdma dev set rxe8 name odd"),
            of(mayFail("ENODEV", DEVICE_IS_GONE), LIST, NETLINK),
            of(fails("ENODEV", DEVICE_IS_GONE), LOOK, OPEN, DATA, TRACE)),
    // Paths of 1024 bytes are refused, and the connection manager needs 96 bytes of headers for 256 (iboe_get_mtu).
    SMALL_PACKETS(onItsOwn("ip addr add 10.9.88.1/24 dev dummy8; ip link set dummy8 mtu 300"),
            of(mayFail("", PACKETS_ARE_SMALL), DATA, DOCTOR), of(fails("EINVAL", PACKETS_ARE_SMALL), CONNECT)),
    LARGE_PACKETS(onItsOwn("ip addr add 10.9.88.1/24 dev dummy8; ip link set dummy8 mtu 9000")),
    REMOVED_DEVICE(onItsOwn("ip addr add 10.9.88.1/24 dev dummy8"),
            "(sleep 3; rdma link delete rxe8) >/dev/null 2>&1 &",
            of(mayFail("ENODEV EIO ENXIO ENOENT EINVAL EADDRNOTAVAIL ENETUNREACH", DEVICE_IS_GONE, NODE_IS_MISSING,
                    ADDRESS_IS_MISSING), LIST, LOOK, NETLINK, OPEN, DATA, CONNECT, TRACE, DOCTOR));

    private final String outside;
    private final String inside;
    private final Map<Kind, Outcome> outcomes = new EnumMap<>(Kind.class);

    /// Kinds of commands that an outcome is that of.
    private record Rule(Outcome outcome, Kind... kinds) {}

    /// @param outside lines of a shell in mounts of its own, which becomes the process; `"$@"` is the program,
    ///     `$FOLDER` a folder
    Environment(String outside, Rule... rules) {
        this(outside, "", rules);
    }

    /// @param inside a line of a shell, started by the process when all classes are loaded; `$PPID` is the process
    Environment(String outside, String inside, Rule... rules) {
        this.outside = outside;
        this.inside = inside;
        for (Rule rule : rules) {
            for (Kind kind : rule.kinds) {
                outcomes.put(kind, rule.outcome);
            }
        }
    }

    private static Rule of(Outcome outcome, Kind... kinds) {
        return new Rule(outcome, kinds);
    }

    /// Without `CAP_IPC_LOCK`, the kernel's limit applies: 8 MiB (`MLOCK_LIMIT`). The doctor compares it with 64 MiB.
    private static Rule usualLimitOfLockedMemory() {
        return of(fails("", MAY_LOCK_TOO_LITTLE), DOCTOR);
    }

    /// Nodes of the process's own, changed by a line.
    private static String nodes(String change) {
        return "mkdir $FOLDER/n; mount -t tmpfs none $FOLDER/n; cp -a /dev/infiniband/* $FOLDER/n;"
                + " mount --move $FOLDER/n /dev/infiniband; cd /dev/infiniband; " + change + "; cd /; ";
    }

    private static String user(String more) {
        return more + "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"";
    }

    private static String without(String capability) {
        return "exec setpriv --bounding-set=-" + capability + " --inh-caps=-" + capability + " \"$@\"";
    }

    private static String group(String controller, String limits) {
        return "mkdir $FOLDER/g; mount -t cgroup2 none $FOLDER/g; echo +" + controller
                + " >$FOLDER/g/cgroup.subtree_control;"
                + " mkdir -p $FOLDER/g/disturbed; cd $FOLDER/g/disturbed; " + limits + "; echo $$ >cgroup.procs; cd /;"
                + " umount $FOLDER/g";
    }

    private static String onItsOwn(String change) {
        return "ip link add dummy8 type dummy; ip link set dummy8 arp on up;"
                + " rdma link add rxe8 type rxe netdev dummy8; " + change;
    }

    /// Returns whether its device is not the lab's.
    boolean hasItsOwnDevice() {
        return outside.contains("rxe8");
    }

    String outside() {
        return outside.contains("\"$@\"") ? outside : outside.isEmpty() ? "exec \"$@\"" : outside + "\nexec \"$@\"";
    }

    String inside() {
        return inside;
    }

    Outcome outcome(Kind kind) {
        return outcomes.getOrDefault(kind, Outcome.WORKS);
    }

    /// All that is true: what makes any command fail.
    Set<Fact> facts() {
        Set<Fact> all = EnumSet.noneOf(Fact.class);
        outcomes.values().forEach(outcome -> all.addAll(outcome.causes()));
        return all;
    }

    /// In small letters, with spaces.
    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}

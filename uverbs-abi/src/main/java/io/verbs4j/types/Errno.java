// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Linux error numbers that verbs return (`errno(3)`; include/uapi/asm-generic/errno*.h), as plain `int`s.
public final class Errno {
    /// Operation not permitted.
    public static final int EPERM = 1;
    /// No such file, device or object.
    public static final int ENOENT = 2;
    /// Interrupted system call.
    public static final int EINTR = 4;
    /// Input/output error; here: the device was removed.
    public static final int EIO = 5;
    /// No such device or address.
    public static final int ENXIO = 6;
    /// Bad file descriptor.
    public static final int EBADF = 9;
    /// Nothing is available now; from a verb: the process's control group has reached its limit.
    public static final int EAGAIN = 11;
    /// Out of memory, or a memory limit is reached.
    public static final int ENOMEM = 12;
    /// Permission denied.
    public static final int EACCES = 13;
    /// Bad address.
    public static final int EFAULT = 14;
    /// Device or object busy.
    public static final int EBUSY = 16;
    /// Exists already.
    public static final int EEXIST = 17;
    /// No such device.
    public static final int ENODEV = 19;
    /// Not a directory.
    public static final int ENOTDIR = 20;
    /// A directory.
    public static final int EISDIR = 21;
    /// Invalid argument.
    public static final int EINVAL = 22;
    /// Too many open files in the system.
    public static final int ENFILE = 23;
    /// Too many open files in the process.
    public static final int EMFILE = 24;
    /// Not an ioctl of this file.
    public static final int ENOTTY = 25;
    /// No space; here: a request or response structure was too short.
    public static final int ENOSPC = 28;
    /// The file system is read-only.
    public static final int EROFS = 30;
    /// Function not implemented.
    public static final int ENOSYS = 38;
    /// No data; here: an empty table slot.
    public static final int ENODATA = 61;
    /// Protocol error.
    public static final int EPROTO = 71;
    /// Value too large.
    public static final int EOVERFLOW = 75;
    /// Message too long.
    public static final int EMSGSIZE = 90;
    /// Protocol not supported; here: this kernel does not support the method or attribute.
    public static final int EPROTONOSUPPORT = 93;
    /// Operation not supported by the device.
    public static final int EOPNOTSUPP = 95;
    /// Address family not supported.
    public static final int EAFNOSUPPORT = 97;
    /// Address in use.
    public static final int EADDRINUSE = 98;
    /// Address not available here.
    public static final int EADDRNOTAVAIL = 99;
    /// The network interface is down.
    public static final int ENETDOWN = 100;
    /// Network unreachable.
    public static final int ENETUNREACH = 101;
    /// The peer ended the connection.
    public static final int ECONNRESET = 104;
    /// No buffer space left in the kernel for a socket.
    public static final int ENOBUFS = 105;
    /// Already connected.
    public static final int EISCONN = 106;
    /// Timed out.
    public static final int ETIMEDOUT = 110;
    /// The peer refuses connections.
    public static final int ECONNREFUSED = 111;
    /// No route to host.
    public static final int EHOSTUNREACH = 113;
    /// Not supported; the C library has no name for this number of the kernel.
    public static final int ENOTSUPP = 524;

    private Errno() {}

    /// A symbolic name, and the C library's text (`strerror(3)`).
    private record Entry(String name, String text) {}

    private static Entry entry(int errno) {
        return switch (errno) {
            case EPERM -> new Entry("EPERM", "Operation not permitted");
            case ENOENT -> new Entry("ENOENT", "No such file or directory");
            case EINTR -> new Entry("EINTR", "Interrupted system call");
            case EIO -> new Entry("EIO", "Input/output error");
            case ENXIO -> new Entry("ENXIO", "No such device or address");
            case EBADF -> new Entry("EBADF", "Bad file descriptor");
            case EAGAIN -> new Entry("EAGAIN", "Resource temporarily unavailable");
            case ENOMEM -> new Entry("ENOMEM", "Cannot allocate memory");
            case EACCES -> new Entry("EACCES", "Permission denied");
            case EFAULT -> new Entry("EFAULT", "Bad address");
            case EBUSY -> new Entry("EBUSY", "Device or resource busy");
            case EEXIST -> new Entry("EEXIST", "File exists");
            case ENODEV -> new Entry("ENODEV", "No such device");
            case ENOTDIR -> new Entry("ENOTDIR", "Not a directory");
            case EISDIR -> new Entry("EISDIR", "Is a directory");
            case EINVAL -> new Entry("EINVAL", "Invalid argument");
            case ENFILE -> new Entry("ENFILE", "Too many open files in system");
            case EMFILE -> new Entry("EMFILE", "Too many open files");
            case ENOTTY -> new Entry("ENOTTY", "Inappropriate ioctl for device");
            case ENOSPC -> new Entry("ENOSPC", "No space left on device");
            case EROFS -> new Entry("EROFS", "Read-only file system");
            case ENOSYS -> new Entry("ENOSYS", "Function not implemented");
            case ENODATA -> new Entry("ENODATA", "No data available");
            case EPROTO -> new Entry("EPROTO", "Protocol error");
            case EOVERFLOW -> new Entry("EOVERFLOW", "Value too large for defined data type");
            case EMSGSIZE -> new Entry("EMSGSIZE", "Message too long");
            case EPROTONOSUPPORT -> new Entry("EPROTONOSUPPORT", "Protocol not supported");
            case EOPNOTSUPP -> new Entry("EOPNOTSUPP", "Operation not supported");
            case EAFNOSUPPORT -> new Entry("EAFNOSUPPORT", "Address family not supported by protocol");
            case EADDRINUSE -> new Entry("EADDRINUSE", "Address already in use");
            case EADDRNOTAVAIL -> new Entry("EADDRNOTAVAIL", "Cannot assign requested address");
            case ENETDOWN -> new Entry("ENETDOWN", "Network is down");
            case ENETUNREACH -> new Entry("ENETUNREACH", "Network is unreachable");
            case ECONNRESET -> new Entry("ECONNRESET", "Connection reset by peer");
            case ENOBUFS -> new Entry("ENOBUFS", "No buffer space available");
            case EISCONN -> new Entry("EISCONN", "Transport endpoint is already connected");
            case ETIMEDOUT -> new Entry("ETIMEDOUT", "Connection timed out");
            case ECONNREFUSED -> new Entry("ECONNREFUSED", "Connection refused");
            case EHOSTUNREACH -> new Entry("EHOSTUNREACH", "No route to host");
            case ENOTSUPP -> new Entry("ENOTSUPP", "Operation is not supported by the kernel");
            default -> new Entry("errno " + errno, "unlisted error");
        };
    }

    /// Returns the symbolic name, such as `EINVAL`, or `errno 200` for a number that is not listed here.
    public static String name(int errno) {
        return entry(errno).name();
    }

    /// Returns name, number and the C library's text, such as `EINVAL (22, Invalid argument)`.
    public static String describe(int errno) {
        Entry entry = entry(errno);
        return entry.name() + " (" + errno + ", " + entry.text() + ")";
    }
}

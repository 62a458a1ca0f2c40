// SPDX-License-Identifier: Apache-2.0
import com.ibm.jnvmf.*;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

// Prints blocks of a remote disk: ReadDisk ADDRESS NAME FIRST-BLOCK BLOCKS. IBM's library jNVMf implements NVMe over
// Fabrics with DiSNI. verbs4j-disni replaces DiSNI's native library.
void main(String[] arguments) throws Exception {
    var address = new InetSocketAddress(arguments[0], 4420);
    Controller controller = new Nvme().connect(new NvmfTransportId(address, new NvmeQualifiedName(arguments[1])));
    controller.getControllerConfiguration().setEnable(true);
    controller.syncConfiguration();
    controller.waitUntilReady();
    Namespace disk = controller.getActiveNamespaces().getFirst();
    int blockBytes = disk.getIdentifyNamespaceData().getFormattedLbaSize().getLbaDataSize().toInt();
    System.err.printf("%s, %d blocks of %d bytes%n", controller.getIdentifyControllerData().getModelNumber().strip(),
            disk.getIdentifyNamespaceData().getNamespaceCapacity(), blockBytes);

    IoQueuePair queue = controller.createIoQueuePair(16);
    KeyedNativeBuffer memory = queue.registerMemory(ByteBuffer.allocateDirect(blockBytes));
    var read = new NvmReadCommand(queue);
    read.getCommandCapsule().setSglDescriptor(memory);                      // the target writes there by RDMA
    NvmIoCommandSqe entry = read.getCommandCapsule().getSubmissionQueueEntry();
    entry.setNamespaceIdentifier(disk.getIdentifier());
    entry.setNumberOfLogicalBlocks(1);
    byte[] block = new byte[blockBytes];
    for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
        entry.setStartingLba(Long.parseLong(arguments[2]) + i);
        var sent = read.newCommandFuture();
        var answered = read.newResponseFuture();
        read.execute(answered);
        sent.get();
        var status = answered.get().getCompletionQueueEntry().getStatusCode();
        if (!status.equals(GenericStatusCode.getInstance().SUCCESS)) {
            throw new IllegalStateException("the target answered " + status.getDescription());
        }
        memory.toByteBuffer().get(0, block);
        System.out.write(block);
    }
    System.out.flush();
    controller.free();
}

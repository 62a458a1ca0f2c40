// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.crail.CrailNodeType;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.FileName;
import org.apache.crail.rpc.RpcBinding;
import org.apache.crail.rpc.RpcErrors;
import org.apache.crail.rpc.RpcNameNodeService;
import org.apache.crail.rpc.RpcNameNodeState;
import org.apache.crail.rpc.RpcRequestMessage;
import org.apache.crail.rpc.RpcResponseMessage;

/// A small name node for Apache Crail: it stores the names of files and directories, and the blocks of the files.
/// Crail's own name node is not on Maven Central. Crail's binding to DaRPC, which is, calls this one.
final class CrailNameNode implements RpcNameNodeService {
    private final Map<List<Integer>, Node> nodes = new HashMap<>();
    private final Map<Long, Node> nodesByNumber = new HashMap<>();
    private final Queue<BlockInfo> freeBlocks = new ArrayDeque<>();

    private CrailNameNode() {
        add(List.of(), CrailNodeType.DIRECTORY, false);
    }

    /// Runs until it is stopped.
    public static void main(String[] arguments) throws Exception {
        var configuration = new CrailConfiguration();
        CrailConstants.updateConstants(configuration);
        var server = RpcBinding.createInstance(CrailConstants.NAMENODE_RPC_TYPE).launchServer(new CrailNameNode());
        server.init(configuration, null);
        server.run();
    }

    /// A file or a directory.
    private static final class Node extends FileInfo {
        private final List<BlockInfo> blocks = new ArrayList<>();
        private long records;

        private Node(long number, CrailNodeType type, boolean enumerable) {
            super(number, type, enumerable);
        }

        /// Gives an entry its place among the records of this directory.
        private void addRecord(Node entry) {
            entry.setDirOffset(records);
            records += CrailConstants.DIRECTORY_RECORD;
            incCapacity(CrailConstants.DIRECTORY_RECORD);
        }
    }

    private static List<Integer> path(FileName name) {
        var path = new ArrayList<Integer>();
        for (int i = 0; i < name.getLength(); i++) {
            path.add(name.getComponent(i));
        }
        return path;
    }

    private Node add(List<Integer> path, CrailNodeType type, boolean enumerable) {
        var node = new Node(nodesByNumber.size(), type, enumerable);
        nodes.put(path, node);
        nodesByNumber.put(node.getFd(), node);
        return node;
    }

    /// Returns a block of a file, and adds it at the end; null if there is no space.
    private BlockInfo block(Node node, long position) {
        int index = Math.toIntExact(position / CrailConstants.BLOCK_SIZE);
        if (index == node.blocks.size() && !freeBlocks.isEmpty()) {
            node.blocks.add(freeBlocks.remove());
        }
        return index < node.blocks.size() ? node.blocks.get(index) : null;
    }

    @Override
    public synchronized short createFile(RpcRequestMessage.CreateFileReq request,
            RpcResponseMessage.CreateFileRes response, RpcNameNodeState state) {
        List<Integer> path = path(request.getFileName());
        Node parent = path.isEmpty() ? null : nodes.get(path.subList(0, path.size() - 1));
        if (parent == null || !parent.getType().isDirectory()) {
            return RpcErrors.ERR_PARENT_MISSING;
        }
        if (nodes.containsKey(path)) {
            return RpcErrors.ERR_FILE_EXISTS;
        }
        Node node = add(path, request.getFileType(), request.isEnumerable());
        response.setFileBlock(block(node, 0));
        if (request.isEnumerable()) {
            parent.addRecord(node);
            response.setDirBlock(block(parent, node.getDirOffset()));
        }
        node.updateToken();
        response.shipToken(true);
        response.setFileInfo(node);
        response.setParentInfo(parent);
        return node.blocks.isEmpty() ? RpcErrors.ERR_NO_FREE_BLOCKS : RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short getFile(RpcRequestMessage.GetFileReq request, RpcResponseMessage.GetFileRes response,
            RpcNameNodeState state) {
        Node node = nodes.get(path(request.getFileName()));
        if (node == null) {
            return RpcErrors.ERR_GET_FILE_FAILED;
        }
        response.setFileInfo(node);
        response.setFileBlock(block(node, 0));
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short setFile(RpcRequestMessage.SetFileReq request, RpcResponseMessage.VoidRes response,
            RpcNameNodeState state) {
        FileInfo changed = request.getFileInfo();
        Node node = nodesByNumber.get(changed.getFd());
        if (node.getToken() == changed.getToken()) {
            node.setCapacity(changed.getCapacity());
        }
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short removeFile(RpcRequestMessage.RemoveFileReq request,
            RpcResponseMessage.DeleteFileRes response, RpcNameNodeState state) {
        List<Integer> path = path(request.getFileName());
        Node node = nodes.remove(path);
        if (node == null) {
            return RpcErrors.ERR_GET_FILE_FAILED;
        }
        freeBlocks.addAll(node.blocks);
        response.setFileInfo(node);
        response.setParentInfo(nodes.get(path.subList(0, path.size() - 1)));
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short getBlock(RpcRequestMessage.GetBlockReq request, RpcResponseMessage.GetBlockRes response,
            RpcNameNodeState state) {
        Node node = nodesByNumber.get(request.getFd());
        BlockInfo block = block(node, request.getPosition());
        if (block == null) {
            return RpcErrors.ERR_NO_FREE_BLOCKS;
        }
        response.setBlockInfo(block);
        return RpcErrors.ERR_OK;
    }

    /// A storage node offers a region of its memory.
    @Override
    public synchronized short setBlock(RpcRequestMessage.SetBlockReq request, RpcResponseMessage.VoidRes response,
            RpcNameNodeState state) throws Exception {
        BlockInfo region = request.getBlockInfo();
        int size = Math.toIntExact(CrailConstants.BLOCK_SIZE);
        for (long offset = 0; offset < region.getLength(); offset += size) {
            var block = new BlockInfo();
            block.setBlockInfo(
                    new BlockInfo(region.getDnInfo(), region.getLba() + offset, region.getAddr() + offset, size,
                            region.getLkey()));
            freeBlocks.add(block);
        }
        return RpcErrors.ERR_OK;
    }

    /// A storage node asks how many blocks are free, when it has offered a region.
    @Override
    public synchronized short getDataNode(RpcRequestMessage.GetDataNodeReq request,
            RpcResponseMessage.GetDataNodeRes response, RpcNameNodeState state) {
        response.setFreeBlockCount(freeBlocks.size());
        System.out.println("free blocks: " + freeBlocks.size());
        return RpcErrors.ERR_OK;
    }

    @Override
    public short ping(RpcRequestMessage.PingNameNodeReq request, RpcResponseMessage.PingNameNodeRes response,
            RpcNameNodeState state) {
        response.setData(request.getOp() + 1);
        return RpcErrors.ERR_OK;
    }

    @Override
    public short renameFile(RpcRequestMessage.RenameFileReq request, RpcResponseMessage.RenameRes response,
            RpcNameNodeState state) {
        return RpcErrors.ERR_INVALID_RPC_CMD;
    }

    @Override
    public short getLocation(RpcRequestMessage.GetLocationReq request, RpcResponseMessage.GetLocationRes response,
            RpcNameNodeState state) {
        return RpcErrors.ERR_INVALID_RPC_CMD;
    }

    @Override
    public short dump(RpcRequestMessage.DumpNameNodeReq request, RpcResponseMessage.VoidRes response,
            RpcNameNodeState state) {
        return RpcErrors.ERR_INVALID_RPC_CMD;
    }
}

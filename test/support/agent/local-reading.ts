import type { LogQuery } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { LocalFolder } from '@logtool/logtool/src/agent/files/local-folder.ts';
import type { ContainerFolder } from '@logtool/logtool/src/backend/container-folder.ts';
import { runLines } from '@logtool/logtool/src/backend/run-lines.ts';
import { type NodeUnderRead, textOf } from '../backend/node-under-read.ts';

const { signal } = new AbortController();

/** Returns a function that reads the files of `app` on the disk, past the kubelet. */
export function localReading(node: NodeUnderRead) {
  return async (query: Partial<LogQuery>, choice: 'all' | 'rotated' = 'all'): Promise<string> => {
    const folder = folderUnderRead(node);
    const files = await folder.filesOf(0);
    if (files === undefined) throw new Error('the folder of the container is missing');
    const options = { clock: systemClock, signal, hasNewest: choice === 'all' };
    return textOf(await runLines(folder, files, query, options));
  };
}

/** Returns the folder of `app`, on which things happen before each request as on the kubelet's file server. */
function folderUnderRead(node: NodeUnderRead): ContainerFolder {
  const { root, path } = node.appPath;
  const folder = new LocalFolder(root, path, signal);
  return {
    filesOf: (run) => {
      node.onFileRequest(node.fileRequests++);
      return folder.filesOf(run);
    },
    open: (name, range) => {
      node.onFileRequest(node.fileRequests++);
      return folder.open(name, range);
    },
  };
}

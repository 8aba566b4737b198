import type { NodeFileQuery } from '@logtool/kube/src/client.ts';
import type { RunFiles } from './run-files.ts';

/** Part of a file: from a byte, to another one included; or that many bytes at the end. */
export type FileRange = NonNullable<NodeFileQuery['range']>;

/** A file, or part of it, as it is read. All of its bytes are of one file, whatever is renamed meanwhile. */
export interface OpenFile {
  /** Offset of the first byte in the file. */
  readonly from: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The folder that holds the log files of one container on its node, wherever it is read from. */
export interface ContainerFolder {
  /** Lists the files of a run; undefined if the node has no folder for the container. */
  filesOf(run: number): Promise<RunFiles | undefined>;
  /** Opens a file. Throws a KubeError `not-found` if it is not, or no longer, there. */
  open(name: string, range?: FileRange): Promise<OpenFile>;
}

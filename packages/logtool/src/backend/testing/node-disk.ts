import { gzipSync } from 'node:zlib';
import type { NodeFileQuery, NodeFileResponse } from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';

/** The log files of one container on a node, in memory, served as its kubelet serves them. */
export class NodeDisk {
  readonly folder: string;
  readonly files = new Map<string, Buffer>();
  /** Called before each request: what happens on the node meanwhile. */
  onRequest: (number: number) => void = () => {};
  requests = 0;
  /** The listing of the folder of all pods. */
  pods = '';

  constructor(folder: string) {
    this.folder = folder;
  }

  readonly nodeFile = async ({ path, isFolder, range }: NodeFileQuery): Promise<NodeFileResponse> => {
    this.onRequest(this.requests++);
    const text = path.join('/');
    if (isFolder === true) {
      if (text === this.folder)
        return { from: 0, size: undefined, body: pieces(Buffer.from(this.#listing())) };
      if (text === 'pods') return { from: 0, size: undefined, body: pieces(Buffer.from(this.pods)) };
      throw absent();
    }
    const file = text.startsWith(`${this.folder}/`) ? this.files.get(path.at(-1)!) : undefined;
    if (file === undefined) throw absent();
    if (range === undefined) return { from: 0, size: undefined, body: pieces(file) };
    const from = 'last' in range ? Math.max(0, file.length - range.last) : range.from;
    const to = 'last' in range ? file.length : (range.to ?? file.length - 1) + 1;
    return { from, size: file.length, body: pieces(file.subarray(from, to)) };
  };

  append(name: string, bytes: Buffer): void {
    this.files.set(name, Buffer.concat([this.files.get(name) ?? Buffer.alloc(0), bytes]));
  }

  /** Renames the newest file of a run, as a rotation does, and begins another. */
  rotate(run: number, stamp: string): void {
    const newest = this.files.get(`${run}.log`)!;
    this.files.delete(`${run}.log`);
    this.files.set(`${run}.log.${stamp}`, newest);
    this.files.set(`${run}.log`, Buffer.alloc(0));
  }

  compress(name: string): void {
    const bytes = this.files.get(name)!;
    this.files.delete(name);
    this.files.set(`${name}.gz`, gzipSync(bytes));
  }

  /** As in test/recorded/nodes/list-rotated.json. */
  #listing(): string {
    const links = [...this.files.keys()].toSorted().map((name) => `<a href="${name}">${name}</a>\n`);
    return `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links.join('')}</pre>\n`;
  }
}

function absent(): KubeError {
  return new KubeError({ kind: 'not-found', status: 404, message: '404 page not found' });
}

/** Yields bytes in pieces of changing sizes. */
async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 4099) {
    yield bytes.subarray(at, at + size);
    size ||= 1;
  }
}

import type {
  KubeClient,
  KubeObject,
  LogQuery,
  ReflectorEvent,
  RequestOptions,
} from '@logtool/kube/src/client.ts';

const POD = {
  metadata: { name: 'chatty', namespace: 'default', uid: 'chatty-uid', resourceVersion: '1' },
  spec: { containers: [{ name: 'main' }], nodeName: 'node-a' },
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'main',
        restartCount: 0,
        containerID: 'containerd://1',
        state: { running: { startedAt: '2026-11-21T00:00:00Z' } },
      },
    ],
  },
};
const CHUNK_LINES = 400;
const FIRST_MS = Date.UTC(2026, 10, 21, 10);

/** A cluster of one pod, `chatty`, whose log has no end: it is written as fast as it is read. */
export class EndlessCluster {
  /** Lines that were taken so far, over all connections. */
  linesTaken = 0;
  readonly client: KubeClient;
  readonly #text: string;

  constructor(lineBytes = 150) {
    this.#text = 'x'.repeat(lineBytes);
    const pod = POD as unknown as KubeObject;
    this.client = {
      cluster: { context: 'endless', server: 'https://endless', namespace: 'default', user: 'test' },
      get: async () => pod,
      getMetadata: async () => pod,
      reflect: (_type: unknown, _query: unknown, options: RequestOptions) => reflect(pod, options),
      log: async ({ follow }: LogQuery, options: RequestOptions = {}) => ({
        status: 200,
        // Lines written before the check are not part of it.
        body: follow === true ? this.#body(options.signal) : nothing(),
      }),
    } as unknown as KubeClient;
  }

  async *#body(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    for (let line = 0; signal?.aborted !== true; line += CHUNK_LINES) {
      const lines = Array.from({ length: CHUNK_LINES }, (_, index) => {
        const number = line + index;
        const second = new Date(FIRST_MS + Math.floor(number / 1000) * 1000).toISOString().slice(0, 19);
        const nanos = String((number % 1000) * 1_000_000).padStart(9, '0');
        return `${second}.${nanos}Z ${number} ${this.#text}\n`;
      });
      this.linesTaken += CHUNK_LINES;
      yield Buffer.from(lines.join(''));
      await new Promise((resolve) => setImmediate(resolve));
    }
    signal?.throwIfAborted();
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* reflect(
  pod: KubeObject,
  { signal }: RequestOptions,
): AsyncGenerator<ReflectorEvent<KubeObject>> {
  yield { type: 'snapshot', objects: [pod] };
  await new Promise<void>((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

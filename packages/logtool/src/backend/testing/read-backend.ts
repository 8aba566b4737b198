import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect } from 'vitest';
import { fakeClient } from '../../../../../test/support/fake-client.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { NodeLogs } from '../node-logs.ts';
import type { NodeDisk } from './node-disk.ts';

/** The folder of `TARGET` on its node. */
export const FOLDER = 'pods/shop_web_u/app';

/** A container in its third run. */
export const TARGET: ContainerTarget = {
  id: 'u/app',
  namespace: 'shop',
  pod: 'web',
  podUid: 'u',
  container: 'app',
  kind: 'regular',
  placement: { node: 'node-1' },
  state: { kind: 'running', containerId: 'c://2', startedAt: undefined },
  restartCount: 2,
  lastContainerId: 'c://1',
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
};

/** Returns the whole answer to a query about that run. `newest` is what the log API has. */
export async function readBackend(
  disk: NodeDisk,
  files: 'all' | 'rotated',
  query: Partial<LogQuery>,
  newest: (query: LogQuery) => string,
): Promise<string> {
  const log = async (asked: LogQuery): Promise<LogResponse> => ({
    status: 200,
    body: only(Buffer.from(newest(asked))),
  });
  const client = fakeClient({ nodeFile: disk.nodeFile, log });
  const logs = new NodeLogs({ client, clock: systemClock, files });
  const { body } = await logs.open(
    { target: TARGET, containerId: 'c://2' },
    { namespace: 'shop', pod: 'web', container: 'app', timestamps: true, ...query },
    { signal: new AbortController().signal, report: () => expect.unreachable('a notice') },
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function* only(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

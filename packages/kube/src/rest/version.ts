import type { RequestOptions } from '../client.ts';
import { KubeError, type RequestSubject } from '../errors.ts';
import { performJson } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { JSON_ACCEPT } from './decode.ts';

const SUBJECT: RequestSubject = { verb: 'get', resource: '/version' };

/**
 * Returns the server's version: `v1.35.0`. Every cluster returns it to every user it knows (ClusterRole
 * system:public-info-viewer), so it shows whether the cluster responds and accepts the credentials.
 */
export async function readVersion(wire: Wire, options: RequestOptions = {}): Promise<string> {
  const answer = await performJson(
    wire,
    { method: 'GET', path: '/version', subject: SUBJECT, accept: JSON_ACCEPT, signal: options.signal },
    { rule: 'safe', limitBytes: 1024 * 1024 },
  );
  const version = asRecord(answer)?.gitVersion;
  if (typeof version === 'string' && version !== '') return version.slice(0, 100);
  throw new KubeError({ kind: 'protocol', problem: { code: 'no-version', data: {} }, request: SUBJECT });
}

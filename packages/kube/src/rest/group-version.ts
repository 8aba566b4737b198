import type { RequestOptions } from '../client.ts';
import type { RequestSubject } from '../errors.ts';
import { performJson } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { asRecord } from '../values/as-record.ts';
import { JSON_ACCEPT } from './decode.ts';

/**
 * Asks for the resources of one version of a group, and returns their names. The API server passes this request on to
 * the extension that serves the group, so it shows whether that answers, which the APIService does not: it stays available
 * with a wrong caBundle. Everybody who is signed in may ask (ClusterRole system:discovery).
 */
export async function readGroupVersion(
  wire: Wire,
  group: string,
  version: string,
  options: RequestOptions = {},
): Promise<readonly string[]> {
  const path = `/apis/${group}/${version}`;
  const subject: RequestSubject = { verb: 'get', resource: path };
  const request = { method: 'GET', path, subject, accept: JSON_ACCEPT, signal: options.signal } as const;
  const answer = await performJson(wire, request, { rule: 'refused-only', limitBytes: 1024 * 1024 });
  const { resources } = asRecord(answer) ?? {};
  return Array.isArray(resources) ? resources.map((each) => String(asRecord(each)?.name)) : [];
}

import type { ResourceType } from '../client.ts';
import { isKubeError, type RequestSubject } from '../errors.ts';
import { JSON_ACCEPT } from '../rest/decode.ts';
import { performJson } from '../transport/perform.ts';
import type { Wire } from '../transport/wire.ts';
import { inParallel } from '../values/in-parallel.ts';
import { AGGREGATED_ACCEPT, readAggregated } from './aggregated.ts';
import { type GroupVersion, readGroupVersions, readResourceList } from './legacy.ts';

/** A cluster with hundreds of custom resources sends about 1 MB. */
const LIMIT_BYTES = 64 * 1024 * 1024;
/** Simultaneous requests if each group version needs its own. */
const LEGACY_CONCURRENCY = 6;

/**
 * Returns all resources of the server: the core group first, preferred versions before others.
 * https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function discoverResources(wire: Wire): Promise<readonly ResourceType[]> {
  const roots = await Promise.all([discoverRoot(wire, '/api'), discoverRoot(wire, '/apis')]);
  return roots.flat();
}

async function discoverRoot(wire: Wire, path: string): Promise<readonly ResourceType[]> {
  const document = await getDocument(wire, path, AGGREGATED_ACCEPT);
  const aggregated = readAggregated(document);
  if (aggregated !== undefined) return aggregated;
  const versions = [...readGroupVersions(document)];
  const found = await inParallel(LEGACY_CONCURRENCY, versions, (version) =>
    discoverGroupVersion(wire, version),
  );
  return found.flat();
}

/**
 * Reads one group version. If an aggregated API server is down (503), or the group was removed meanwhile (404), omits
 * only its own resources, as aggregated discovery and kubectl do.
 */
async function discoverGroupVersion(
  wire: Wire,
  groupVersion: GroupVersion,
): Promise<readonly ResourceType[]> {
  const path =
    groupVersion.group === ''
      ? `/api/${groupVersion.version}`
      : `/apis/${groupVersion.group}/${groupVersion.version}`;
  try {
    return readResourceList(await getDocument(wire, path, JSON_ACCEPT), groupVersion);
  } catch (error) {
    if (isKubeError(error, 'server') || isKubeError(error, 'not-found')) return [];
    throw error;
  }
}

function getDocument(wire: Wire, path: string, accept: string): Promise<unknown> {
  const subject: RequestSubject = { verb: 'get', resource: path };
  return performJson(
    wire,
    { method: 'GET', path, subject, accept, gzip: true },
    { rule: 'safe', limitBytes: LIMIT_BYTES },
  );
}

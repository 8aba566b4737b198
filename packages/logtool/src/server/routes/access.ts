import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { RequestSubject } from '@logtool/kube/src/errors.ts';
import { describeKubeError } from '@logtool/kube/src/failure/describe.ts';
import { missingRight } from '@logtool/kube/src/failure/describe-forbidden.ts';
import { inParallel } from '@logtool/kube/src/values/in-parallel.ts';
import { parseSource } from '../../domain/source-syntax.ts';
import { ownTurn } from '../../resolve/own-turn.ts';
import { findKind, typeText } from '../../resolve/sources/find-kind.ts';
import { confinedTo } from '../security/guard-namespaces.ts';
import { holdSources } from '../security/limit-sources.ts';
import { personOf } from '../session/person-of.ts';
import { toWireError } from '../to-wire-error.ts';
import type { MakeHandler } from './make-handler.ts';

/** Maximum of simultaneous reviews. */
const REVIEWS_AT_ONCE = 16;

export const answerAccess: MakeHandler<'POST /contexts/{context}/access'> = (services) => async (context) => {
  const { sources } = context.req.valid('json');
  const session = context.get('session');
  const lease = await services.clusters.client(context.req.valid('param').context, session);
  const { client } = lease;
  let letGo = () => {};
  try {
    const read = services
      .guardNamespaces(sources, client.cluster.namespace)
      .flatMap((guarded) => guarded.read);
    letGo = holdSources(personOf(session), read.length);
    const missing = await missingRights(client, read, context.req.raw.signal, confinedTo(services.settings));
    return context.json(
      { missing: missing.map((right) => toWireError(missingRight(right), client.cluster)) },
      200,
    );
  } catch (error) {
    throw describeKubeError(error, client.cluster);
  } finally {
    letGo();
    lease.release();
  }
};

/**
 * Returns the missing permissions without which these sources cannot be read. Excludes `watch`: logtool polls without
 * it.
 */
export async function missingRights(
  client: KubeClient,
  sources: readonly string[],
  signal: AbortSignal,
  confined?: readonly string[],
): Promise<readonly RequestSubject[]> {
  const needed = new Map<string, RequestSubject>();
  for (const source of sources) {
    await ownTurn();
    signal.throwIfAborted();
    for (const right of await rightsFor(client, source, signal, confined))
      needed.set(JSON.stringify(right), right);
  }
  const rights = [...needed.values()];
  const allowed = await inParallel(
    REVIEWS_AT_ONCE,
    rights,
    async ({ verb, resource, subresource, namespace, name }) => {
      await ownTurn();
      const [plural = '', ...group] = resource.split('.');
      return client.review(
        { verb, group: group.join('.'), resource: plural, subresource, namespace, name },
        { signal },
      );
    },
  );
  return rights.filter((_, index) => !allowed[index]);
}

/**
 * Returns the permissions for a source: get for a named object, list for a pattern; then list for its pods, and get for
 * their logs.
 */
async function rightsFor(
  client: KubeClient,
  source: string,
  signal: AbortSignal,
  confined: readonly string[] | undefined,
): Promise<readonly RequestSubject[]> {
  const spec = parseSource(source);
  const type = await findKind(client, spec, signal, { confinedTo: confined });
  const wanted = spec.namespace?.text ?? client.cluster.namespace;
  // For a namespace pattern, logtool searches the whole cluster.
  const namespace = wanted.includes('*') ? undefined : wanted;
  const scope = type.namespaced && namespace !== undefined ? { namespace } : {};
  const name = spec.name.literal ? spec.name.text : undefined;
  const resource = typeText(type);
  const object: RequestSubject =
    name === undefined || namespace === undefined
      ? { verb: 'list', resource, ...scope }
      : { verb: 'get', resource, ...scope, name };
  const inNamespace = namespace === undefined ? {} : { namespace };
  const log: RequestSubject = { verb: 'get', resource: 'pods', subresource: 'log', ...inNamespace };
  if (resource !== 'pods') return [object, { verb: 'list', resource: 'pods', ...inNamespace }, log];
  return [object, object.name === undefined ? log : { ...log, name: object.name }];
}

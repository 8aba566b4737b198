import { API_AUDIENCE, issueAccountToken } from '../../access/service-account-token.ts';
import { conflict, invalid, notFound } from '../../api-error.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import type { ApiContext } from '../context.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { readObject } from '../http/body.ts';
import { negotiate } from '../http/negotiate.ts';
import { objectReply } from '../http/reply.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { at, fields, text } from '../table/read.ts';

const PODS = { group: '', plural: 'pods' };
const DEFAULT_SECONDS = 3600;
const SHORTEST_SECONDS = 600;

/**
 * Handles POST of a TokenRequest for a service account: `kubectl create token`.
 * @throws ApiError 404 without the account, 422 for a lifetime below ten minutes
 */
export async function tokenReply(
  { store, clock }: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const body = fields(await readObject(request, 'TokenRequest'));
  const account = store.get('serviceaccounts', info.namespace, info.name);
  if (account === undefined) throw notFound(type, info.name);
  const asked = at(body, 'spec', 'expirationSeconds');
  const expirationSeconds = typeof asked === 'number' ? asked : DEFAULT_SECONDS;
  if (expirationSeconds < SHORTEST_SECONDS) {
    const message = `Invalid value: ${expirationSeconds}: may not specify a duration less than 10 minutes`;
    const cause = { reason: 'FieldValueInvalid', message, field: 'spec.expirationSeconds' };
    throw invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [cause]);
  }
  const given = at(body, 'spec', 'audiences');
  const audiences = Array.isArray(given) && given.length > 0 ? given.map(String) : [API_AUDIENCE];
  const pod = boundPod(store, info, fields(at(body, 'spec', 'boundObjectRef')));
  const lifetimeSeconds = expirationSeconds;
  const status = issueAccountToken(store, clock, account, { lifetimeSeconds, audiences, pod });
  const answer = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name: info.name,
      namespace: info.namespace,
      creationTimestamp: account.metadata.creationTimestamp,
    },
    spec: { audiences, expirationSeconds, boundObjectRef: at(body, 'spec', 'boundObjectRef') ?? null },
    status,
  };
  return objectReply(request, negotiate(request, { transforms: false }), answer, 201);
}

/**
 * Returns the pod that a token is asked for.
 * @throws ApiError 404 if there is no such pod, 409 if the reference is to an earlier one
 */
function boundPod(
  store: Store,
  { namespace }: RequestInfo,
  reference: Readonly<Record<string, unknown>>,
): StoredObject | undefined {
  if (reference.kind !== 'Pod') return undefined;
  const name = text(reference.name);
  const pod = store.get('pods', namespace, name);
  if (pod === undefined) throw notFound(PODS, name);
  if (reference.uid === undefined || reference.uid === pod.metadata.uid) return pod;
  const message = `the UID in the bound object reference (${text(reference.uid)}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict(PODS, name, message);
}

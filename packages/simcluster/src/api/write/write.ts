import { methodNotAllowed } from '../../api-error.ts';
import { withDisruption } from '../../controllers/pods/disruption.ts';
import type { ApiContext } from '../context.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { readObject } from '../http/body.ts';
import { negotiate } from '../http/negotiate.ts';
import { objectReply } from '../http/reply.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { fields } from '../table/read.ts';
import { change } from './change.ts';
import { create } from './create.ts';
import { deleteCollection, deleteOne, readDeleteOptions } from './delete.ts';
import { tokenReply } from './token-request.ts';
import { isDryRun } from './written-reply.ts';

/** Handles create, update, patch, delete and deletecollection. */
export async function writeReply(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  switch (info.verb) {
    case 'create':
      if (info.subresource === 'eviction') return evict(context, request, info, type);
      if (info.subresource === 'token') return tokenReply(context, request, info, type);
      return create(context, request, info, type);
    case 'update':
    case 'patch':
      return change(context, request, info, type);
    case 'delete':
    case 'deletecollection': {
      const format = negotiate(request, { transforms: false });
      const options = await readDeleteOptions(request);
      if (info.verb === 'delete')
        return objectReply(request, format, deleteOne(context, info, type, options));
      return objectReply(request, format, deleteCollection(context, request, info, type, options));
    }
    default:
      throw methodNotAllowed();
  }
}

/** Handles the Eviction API: a deletion, which nothing in the simulation blocks. */
async function evict(
  context: ApiContext,
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
): Promise<Reply> {
  const body = fields(await readObject(request, 'Eviction'));
  const options = fields(body.deleteOptions);
  const grace = typeof options.gracePeriodSeconds === 'number' ? options.gracePeriodSeconds : undefined;
  const dryRun = isDryRun(request);
  if (!dryRun)
    context.store.update('pods', info.namespace, info.name, (pod) => {
      const nowMs = context.clock.now();
      pod.status = withDisruption(pod, 'EvictionByEvictionAPI', 'Eviction API: evicting', nowMs);
      return undefined;
    });
  deleteOne(context, info, type, { gracePeriodSeconds: grace, propagation: undefined, dryRun });
  const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  return objectReply(request, negotiate(request, { transforms: false }), success, 201);
}

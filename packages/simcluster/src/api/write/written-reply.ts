import type { StoredObject } from '../../store/store.ts';
import type { ApiContext } from '../context.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { negotiate } from '../http/negotiate.ts';
import { objectReply } from '../http/reply.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import { metadataOnly, shown } from '../read/view.ts';
import { tableOf } from '../table/table.ts';

export function isDryRun(request: ApiRequest): boolean {
  return request.query.getAll('dryRun').includes('All');
}

/** Makes the response to a write: the current object. */
export function writtenReply(
  { clock }: ApiContext,
  request: ApiRequest,
  type: ApiResource,
  object: StoredObject,
  status: number,
): Promise<Reply> {
  const format = negotiate(request, { transforms: true });
  if (format.as === 'Table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return objectReply(request, format, tableOf(type, [object], metadata, 'Metadata', clock.now()), status);
  }
  const body = format.as === undefined ? shown(type, object) : metadataOnly(object);
  return objectReply(request, format, body, status);
}

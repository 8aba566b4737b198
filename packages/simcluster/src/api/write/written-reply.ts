import type { StoredObject } from '../store.ts';
import type { ApiContext } from './handler.ts';
import { negotiate } from './negotiate.ts';
import { objectReply } from './reply.ts';
import type { ApiRequest, Reply } from './request.ts';
import type { ApiResource } from './resources.ts';
import { tableOf } from './table/table.ts';
import { metadataOnly, shown } from './view.ts';

export function isDryRun(request: ApiRequest): boolean {
  return request.query.getAll('dryRun').includes('All');
}

/** What a write answers with: the object as it is now. */
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

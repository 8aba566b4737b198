import { ApiError, badRequest } from '../../api-error.ts';
import type { ApiResource } from '../discovery/resources.ts';
import { contentType } from '../http/body.ts';
import type { ApiRequest } from '../http/request.ts';
import type { Shape } from '../schema/shape.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicPatch } from './strategic-patch.ts';

/**
 * Returns the object after a request's patch. A patch has no resourceVersion unless the client sets it on purpose.
 * @throws ApiError 400, 415, 422
 */
export async function patched(
  request: ApiRequest,
  type: ApiResource,
  shape: Shape,
  before: unknown,
): Promise<unknown> {
  const kind = contentType(request);
  const apply = patchKind(kind, type, shape);
  const bytes = await request.body();
  let patch: unknown;
  try {
    patch = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
  return apply(before, patch);
}

function patchKind(
  kind: string,
  type: ApiResource,
  shape: Shape,
): (before: unknown, patch: unknown) => unknown {
  if (kind === 'application/json-patch+json') return applyJsonPatch;
  if (kind === 'application/merge-patch+json') return applyMergePatch;
  if (kind === 'application/strategic-merge-patch+json' && !type.custom) {
    return (before, patch) => applyStrategicPatch(before, patch, shape);
  }
  const accepted = [
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(type.custom ? [] : ['application/strategic-merge-patch+json']),
  ];
  throw new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

import { ApiError, badRequest, invalid } from '../../api-error.ts';
import { type ApiResource, apiVersionOf } from '../discovery/resources.ts';
import { readYaml } from '../http/body.ts';
import { type ApiRequest, parameter } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Shape } from '../schema/shape.ts';
import { typedError } from '../schema/typed-check.ts';
import { fields } from '../table/read.ts';

const OPTIONS = { group: 'meta.k8s.io', kind: 'PatchOptions' };

/**
 * Reads the configuration of a server-side apply, as the client sent it.
 * @throws ApiError 400 if it is not an object of this kind, 422 without a field manager, 500 (as a real server does) if
 * it does not fit its type
 */
export async function readConfiguration(
  request: ApiRequest,
  info: RequestInfo,
  type: ApiResource,
  shape: Shape,
): Promise<Readonly<Record<string, unknown>>> {
  if (parameter(request, 'fieldManager') === '') {
    const message = 'Required value: is required for apply patch';
    throw invalid(OPTIONS, '', [{ reason: 'FieldValueRequired', message, field: 'fieldManager' }]);
  }
  const config = fields(await readYaml((await request.body()).toString('utf8')));
  const { apiVersion = '', kind = '', metadata } = config;
  if (kind === '') throw badRequest('invalid object type: /, Kind=');
  if (kind !== type.kind || apiVersion !== apiVersionOf(type)) {
    throw badRequest(`invalid object type: ${String(apiVersion)}, Kind=${String(kind)}`);
  }
  if (fields(metadata).managedFields !== undefined && fields(metadata).managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const { namespace } = fields(metadata);
  if (namespace !== undefined && namespace !== info.namespace && type.namespaced) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const error = typedError(shape, config);
  if (error === undefined) return config;
  const name = `${info.namespace === undefined || !type.namespaced ? '' : info.namespace}/${info.name}`;
  throw new ApiError(
    500,
    undefined,
    `failed to create typed patch object (${name}; ${type.group}/${type.version}, Kind=${type.kind}): ${error}`,
  );
}

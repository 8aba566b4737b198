import type { Store } from '../store.ts';
import type { ApiRequest, Reply } from './request.ts';
import { type ApiResource, apiVersionOf, resourcesOf } from './resources.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * /openapi/v3: enough for clients that ask which operations and query parameters a kind has (kubectl looks there for
 * `fieldValidation`). The schemas of the objects are open: nothing is validated by them.
 */
export function openApiReply(store: Store, request: ApiRequest): Reply | undefined {
  const { path } = request;
  const types = resourcesOf(store);
  if (path === '/openapi/v2') {
    const body = JSON.stringify({
      swagger: '2.0',
      info: { title: 'Kubernetes', version: 'v1.35.0' },
      ...v2(types),
    });
    return { status: 200, headers: JSON_TYPE, body };
  }
  if (path === '/openapi/v3') {
    const versions = [...new Set(types.map(prefix))];
    const paths = Object.fromEntries(
      versions.map((version) => [
        version,
        { serverRelativeURL: `/openapi/v3/${version}?hash=${types.length}` },
      ]),
    );
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ paths }) };
  }
  if (!path.startsWith('/openapi/v3/')) return undefined;
  const mine = types.filter((type) => `/openapi/v3/${prefix(type)}` === path);
  if (mine.length === 0) return undefined;
  const body = {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.35.0' },
    paths: Object.assign({}, ...mine.map(pathsOf)),
    components: { schemas: Object.fromEntries(mine.map((type) => [schemaName(type), schemaOf(type)])) },
  };
  return { status: 200, headers: JSON_TYPE, body: JSON.stringify(body) };
}

function prefix(type: ApiResource): string {
  return type.group === '' ? `api/${type.version}` : `apis/${apiVersionOf(type)}`;
}

function schemaName(type: ApiResource): string {
  return `io.k8s.api.${type.group === '' ? 'core' : type.group}.${type.version}.${type.kind}`;
}

function identity({ group, version, kind }: ApiResource) {
  return { group, version, kind };
}

function schemaOf(type: ApiResource) {
  return {
    type: 'object',
    'x-kubernetes-group-version-kind': [identity(type)],
    'x-kubernetes-preserve-unknown-fields': true,
  };
}

function pathsOf(type: ApiResource): Record<string, unknown> {
  const collection = `/${prefix(type)}/${type.namespaced ? 'namespaces/{namespace}/' : ''}${type.plural}`;
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }));
  const operation = (action: string) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': identity(type),
    parameters,
    responses: { 200: { description: 'OK' } },
  });
  return {
    [collection]: { post: operation('post') },
    [`${collection}/{name}`]: { put: operation('put'), patch: operation('patch') },
  };
}

function v2(types: readonly ApiResource[]) {
  return {
    paths: {},
    definitions: Object.fromEntries(types.map((type) => [schemaName(type), schemaOf(type)])),
  };
}

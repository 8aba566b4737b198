import type { User } from '../api/http/request.ts';
import { ApiError } from '../api-error.ts';
import type { Attributes } from './rbac.ts';

/** Makes a 403 with the wording of k8s.io/apiserver. */
export function forbidden(user: User, attributes: Attributes): ApiError {
  const who = `User ${JSON.stringify(user.name)} cannot ${attributes.verb}`;
  if (attributes.kind === 'path') {
    return new ApiError(403, 'Forbidden', `forbidden: ${who} path ${JSON.stringify(attributes.path)}`, {});
  }
  const { group, resource, subresource, namespace, name } = attributes;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const title = group === '' ? resource : `${resource}.${group}`;
  const scope =
    namespace === undefined ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const subject = name === '' ? title : `${title} ${JSON.stringify(name)}`;
  return new ApiError(
    403,
    'Forbidden',
    `${subject} is forbidden: ${who} resource ${JSON.stringify(whole)} in API group ${JSON.stringify(group)} ${scope}`,
    {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      kind: resource,
    },
  );
}

import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { authorize, type PolicyRule, rulesOf } from '../../access/rbac.ts';
import { badRequest } from '../../api-error.ts';
import type { Store } from '../../store/store.ts';
import type { ApiRequest, User } from '../http/request.ts';
import { at, fields, text } from '../table/read.ts';

/** Returns the result of a review of the current user or of another one; undefined for any other resource. */
export function reviewOf(
  store: Store,
  clock: Clock,
  request: ApiRequest,
  resource: string,
  body: unknown,
): Record<string, unknown> | undefined {
  switch (resource) {
    case 'selfsubjectaccessreviews':
      return accessReview(store, request.user, 'SelfSubjectAccessReview', body);
    case 'subjectaccessreviews':
      return accessReview(store, subjectOf(body), 'SubjectAccessReview', body);
    case 'localsubjectaccessreviews':
      return accessReview(store, subjectOf(body), 'LocalSubjectAccessReview', body);
    case 'selfsubjectrulesreviews':
      return rulesReview(store, request.user, text(at(body, 'spec', 'namespace')));
    case 'selfsubjectreviews':
      return selfReview(clock, request.user);
    default:
      return undefined;
  }
}

function subjectOf(body: unknown): User {
  const groups = at(body, 'spec', 'groups');
  return {
    name: text(at(body, 'spec', 'user')),
    groups: Array.isArray(groups) ? groups.map(String) : [],
  };
}

function accessReview(store: Store, user: User, kind: string, body: unknown): Record<string, unknown> {
  const spec = fields(at(body, 'spec'));
  const asked = spec.resourceAttributes === undefined ? undefined : fields(spec.resourceAttributes);
  const path = spec.nonResourceAttributes === undefined ? undefined : fields(spec.nonResourceAttributes);
  if (asked === undefined && path === undefined) {
    throw badRequest('exactly one of nonResourceAttributes or resourceAttributes must be specified');
  }
  const decision = authorize(
    store,
    user,
    asked === undefined
      ? { kind: 'path', verb: text(path?.verb), path: text(path?.path) }
      : {
          kind: 'resource',
          verb: text(asked.verb),
          group: text(asked.group),
          resource: text(asked.resource),
          subresource: text(asked.subresource),
          namespace: text(asked.namespace) === '' ? undefined : text(asked.namespace),
          name: text(asked.name),
        },
  );
  return {
    kind,
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: {
      allowed: decision.allowed,
      ...(decision.allowed && decision.reason !== '' ? { reason: decision.reason } : {}),
    },
  };
}

function rulesReview(store: Store, user: User, namespace: string): Record<string, unknown> {
  if (namespace === '') throw badRequest('no namespace on request');
  const rules = rulesOf(store, user, namespace);
  const own = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule) => ({
    verbs,
    apiGroups,
    resources,
    ...(resourceNames === undefined ? {} : { resourceNames }),
  });
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.filter((rule) => (rule.resources ?? []).length > 0).map(own),
      nonResourceRules: rules
        .filter((rule) => (rule.nonResourceURLs ?? []).length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
    },
  };
}

function selfReview(clock: Clock, user: User): Record<string, unknown> {
  const { name, groups, extra } = user;
  return {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: `${new Date(clock.now()).toISOString().slice(0, 19)}Z` },
    status: { userInfo: { username: name, groups, ...(extra === undefined ? {} : { extra }) } },
  };
}

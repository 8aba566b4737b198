import { helmFailure } from '@logtool/helm/src/failures.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, test } from 'vitest';
import { helmMessageOf } from '../helm.ts';
import type { Message } from '../message.ts';

test.each<[CodedError, Message]>([
  [
    helmFailure('rights-missing', {
      user: 'founder',
      missing: [
        { verb: 'create', group: '', resource: 'secrets', namespace: 'founded', lacking: [] },
        { verb: 'update', group: '', resource: 'secrets', namespace: 'founded', lacking: [] },
      ],
    }),
    {
      what: 'founder lacks 2 permissions; logtool changed nothing',
      why: 'create secrets in the namespace founded\nupdate secrets in the namespace founded',
      next: 'ask for them; to check: kubectl auth can-i create secrets -n founded; --skip-preflight skips the check',
    },
  ],
  [
    helmFailure('rights-missing', {
      user: 'dev',
      missing: [
        {
          verb: 'create',
          group: 'apiextensions.k8s.io',
          resource: 'customresourcedefinitions',
          name: 'widgets.there.example.com',
          lacking: [],
        },
        {
          verb: 'get',
          group: 'apiextensions.k8s.io',
          resource: 'customresourcedefinitions',
          name: 'widgets.there.example.com',
          lacking: [],
        },
        {
          verb: 'patch',
          group: 'apiextensions.k8s.io',
          resource: 'customresourcedefinitions',
          name: 'widgets.there.example.com',
          lacking: [],
        },
      ],
    }),
    {
      what: 'dev lacks 3 permissions; logtool changed nothing',
      why: 'create customresourcedefinitions.apiextensions.k8s.io in the cluster\nget customresourcedefinitions.apiextensions.k8s.io in the cluster (widgets.there.example.com)\npatch customresourcedefinitions.apiextensions.k8s.io in the cluster (widgets.there.example.com)',
      next: 'ask for them; to check: kubectl auth can-i create customresourcedefinitions.apiextensions.k8s.io; --skip-preflight skips the check',
    },
  ],
  [
    helmFailure('rights-missing', {
      user: 'without',
      missing: [
        {
          verb: 'escalate',
          group: 'rbac.authorization.k8s.io',
          resource: 'roles',
          namespace: 'default',
          name: 'lacks-reads',
          lacking: [
            { verb: 'get', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'default', name: 'web' },
          ],
        },
        {
          verb: 'bind',
          group: 'rbac.authorization.k8s.io',
          resource: 'roles',
          namespace: 'default',
          name: 'lacks-reads',
          lacking: [
            { verb: 'get', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'default', name: 'web' },
          ],
        },
      ],
    }),
    {
      what: 'without lacks 2 permissions; logtool changed nothing',
      why: 'bind roles.rbac.authorization.k8s.io in the namespace default, or the permissions that it grants: get deployments.apps, get pods, get pods/log, list pods, list pods/log (lacks-reads)\nescalate roles.rbac.authorization.k8s.io in the namespace default, or the permissions that it grants: get deployments.apps, get pods, get pods/log, list pods, list pods/log (lacks-reads)',
      next: 'ask for them; to check: kubectl auth can-i escalate roles.rbac.authorization.k8s.io/lacks-reads -n default; --skip-preflight skips the check',
    },
  ],
  [
    helmFailure('rights-missing', {
      user: 'maker',
      missing: [
        {
          verb: 'bind',
          group: 'rbac.authorization.k8s.io',
          resource: 'roles',
          namespace: 'default',
          name: 'lacks-reads',
          lacking: [
            { verb: 'get', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'default', name: 'web' },
          ],
        },
      ],
    }),
    {
      what: 'maker lacks a permission; logtool changed nothing',
      why: 'bind roles.rbac.authorization.k8s.io in the namespace default, or the permissions that it grants: get deployments.apps, get pods, get pods/log, list pods, list pods/log (lacks-reads)',
      next: 'ask for it; to check: kubectl auth can-i bind roles.rbac.authorization.k8s.io/lacks-reads -n default; --skip-preflight skips the check',
    },
  ],
  [
    helmFailure('rights-missing', {
      user: 'without',
      missing: [
        {
          verb: 'escalate',
          group: 'rbac.authorization.k8s.io',
          resource: 'roles',
          namespace: 'default',
          name: 'stays-reads',
          lacking: [
            { verb: 'get', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'watch', group: '', resource: 'pods', namespace: 'default' },
            { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'list', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'watch', group: '', resource: 'pods', subresource: 'log', namespace: 'default' },
            { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'default', name: 'web' },
          ],
        },
      ],
    }),
    {
      what: 'without lacks a permission; logtool changed nothing',
      why: 'escalate roles.rbac.authorization.k8s.io in the namespace default, or the permissions that it grants: get deployments.apps, get pods, get pods/log, list pods, list pods/log, watch pods, watch pods/log (stays-reads)',
      next: 'ask for it; to check: kubectl auth can-i escalate roles.rbac.authorization.k8s.io/stays-reads -n default; --skip-preflight skips the check',
    },
  ],
  [
    helmFailure('rights-missing', {
      user: 'records-only',
      missing: [
        {
          verb: 'create',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'w-config',
          lacking: [],
        },
        {
          verb: 'get',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'w-config',
          lacking: [],
        },
        {
          verb: 'patch',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'w-config',
          lacking: [],
        },
        {
          verb: 'create',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'w-kept',
          lacking: [],
        },
        { verb: 'get', group: '', resource: 'configmaps', namespace: 'default', name: 'w-kept', lacking: [] },
        {
          verb: 'patch',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'w-kept',
          lacking: [],
        },
        {
          verb: 'create',
          group: 'apps',
          resource: 'deployments',
          namespace: 'default',
          name: 'w-web',
          lacking: [],
        },
        {
          verb: 'get',
          group: 'apps',
          resource: 'deployments',
          namespace: 'default',
          name: 'w-web',
          lacking: [],
        },
        {
          verb: 'patch',
          group: 'apps',
          resource: 'deployments',
          namespace: 'default',
          name: 'w-web',
          lacking: [],
        },
      ],
    }),
    {
      what: 'records-only lacks 6 permissions; logtool changed nothing',
      why: 'create configmaps in the namespace default\ncreate deployments.apps in the namespace default\nget configmaps in the namespace default (w-config, w-kept)\nget deployments.apps in the namespace default (w-web)\npatch configmaps in the namespace default (w-config, w-kept)\npatch deployments.apps in the namespace default (w-web)',
      next: 'ask for them; to check: kubectl auth can-i create configmaps -n default; --skip-preflight skips the check',
    },
  ],
  [
    helmFailure('rights-missing', {
      user: 'records-only',
      missing: [
        {
          verb: 'get',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'up-config',
          lacking: [],
        },
        {
          verb: 'patch',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'up-config',
          lacking: [],
        },
        {
          verb: 'create',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'up-extra',
          lacking: [],
        },
        {
          verb: 'get',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'up-extra',
          lacking: [],
        },
        {
          verb: 'patch',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'up-extra',
          lacking: [],
        },
        {
          verb: 'get',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'up-kept',
          lacking: [],
        },
        {
          verb: 'patch',
          group: '',
          resource: 'configmaps',
          namespace: 'default',
          name: 'up-kept',
          lacking: [],
        },
        {
          verb: 'get',
          group: 'apps',
          resource: 'deployments',
          namespace: 'default',
          name: 'up-web',
          lacking: [],
        },
        {
          verb: 'patch',
          group: 'apps',
          resource: 'deployments',
          namespace: 'default',
          name: 'up-web',
          lacking: [],
        },
      ],
    }),
    {
      what: 'records-only lacks 5 permissions; logtool changed nothing',
      why: 'create configmaps in the namespace default\nget configmaps in the namespace default (up-config, up-extra, up-kept)\nget deployments.apps in the namespace default (up-web)\npatch configmaps in the namespace default (up-config, up-extra, up-kept)\npatch deployments.apps in the namespace default (up-web)',
      next: 'ask for them; to check: kubectl auth can-i get configmaps/up-config -n default; --skip-preflight skips the check',
    },
  ],
  [
    helmFailure('rights-unknown', { user: 'owner', why: 'forbidden by an injected fault' }),
    {
      what: 'owner cannot ask the cluster which permissions it has; logtool changed nothing',
      why: 'forbidden by an injected fault',
      next: 'skip the check with --skip-preflight, or ask for the ClusterRole system:basic-user, which everyone normally has',
    },
  ],
])('$code and its data make a message: %#', (failure, message) => {
  expect(helmMessageOf(failure)).toEqual(message);
});

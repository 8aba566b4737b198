import { helmFailure } from '@logtool/helm/src/failures.ts';
import { type CodedError, failuresOf } from '@logtool/kube/src/values/coded-error.ts';
import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import { expect, test } from 'vitest';
import { helmMessageOf } from '../helm.ts';
import type { Message } from '../message.ts';

const kubeFailure = failuresOf<KubeFailures>();

test.each<[CodedError, Message]>([
  [
    helmFailure('chart-differs', {
      release: 'web',
      before: { name: 'logtool', version: '1.2.0' },
      chart: { name: 'nginx', version: '9.0.0' },
    }),
    {
      what: 'the release web uses the chart logtool, not nginx',
      why: 'without --chart, logtool would upgrade it to nginx-9.0.0',
      next: 'name its chart with --chart',
    },
  ],
  [
    helmFailure('chart-older', {
      release: 'web',
      before: { name: 'logtool', version: '1.2.0' },
      chart: { name: 'logtool', version: '1.1.9' },
    }),
    {
      what: 'the release web has a newer chart than any that logtool knows',
      why: 'it uses logtool-1.2.0, and this one is logtool-1.1.9',
      next: 'bring the chart repository up to date (logtool cluster repo add, then logtool cluster repo update), or choose the older chart with --version 1.1.9',
    },
  ],
  [
    helmFailure('chart-older', {
      release: 'web',
      before: { name: 'logtool', version: '1.2.0' },
      chart: { name: 'logtool', version: '0.9' },
    }),
    {
      what: 'the release web has a newer chart than any that logtool knows',
      why: 'it uses logtool-1.2.0, and this one is logtool-0.9',
      next: 'bring the chart repository up to date (logtool cluster repo add, then logtool cluster repo update), or choose the older chart with --version 0.9',
    },
  ],
  [
    helmFailure('namespace-not-found', { namespace: 'absent' }),
    {
      what: 'there is no namespace absent',
      next: 'create it with: kubectl create namespace absent; or leave out --no-create-namespace',
    },
  ],
  [
    helmFailure('namespace-not-found', {
      namespace: 'nowhere',
      target: 'ConfigMap "lost" in namespace "nowhere"',
    }),
    {
      what: 'there is no namespace nowhere for ConfigMap "lost" in namespace "nowhere"',
      next: 'create it with: kubectl create namespace nowhere; or change where the chart puts its objects',
    },
  ],
  [
    helmFailure('no-good-revision', {
      release: { name: 'never', namespace: 'default', chart: 'tiny' },
      failure: helmFailure('hook-failed', {
        event: 'post-upgrade',
        hook: { name: 'never-step', path: 'tiny/templates/step.yaml', kind: 'Job' },
        namespace: 'default',
        failure: helmFailure('wait-failed', {
          wanted: 'done',
          pending: {
            object: 'Job "never-step" in namespace "default"',
            obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
          },
          inspect: { kind: 'describe', resource: 'jobs', name: 'never-step', namespace: 'default' },
        }),
        isDeleted: false,
      }),
    }),
    {
      what: 'the upgrade of never failed, and no earlier revision succeeded: it stays as it is (--atomic)',
      why: 'the post-upgrade hook never-step (tiny/templates/step.yaml) failed\nJob "never-step" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'fix what failed and upgrade again; or uninstall the release with: logtool cluster uninstall --name never -n default --any-chart',
    },
  ],
  [
    helmFailure('release-exists', {
      of: 'state',
      verb: 'install',
      release: { name: 'there', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 1,
      status: 'deployed',
      description: 'Install complete',
    }),
    {
      what: 'the release there already exists in the namespace default',
      why: 'its revision 1, of the chart tiny-0.1.0, is deployed',
      next: 'change it with: logtool cluster upgrade --name there -n default --any-chart --chart PATH; or choose another --name',
    },
  ],
  [
    helmFailure('release-exists', {
      of: 'state',
      verb: 'install',
      release: { name: 'there', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 1,
      status: 'failed',
      description: 'Install complete',
    }),
    {
      what: 'logtool cannot install the release there in the namespace default now: it has failed',
      why: 'revision 1: Install complete',
      next: 'try again with: logtool cluster upgrade --name there -n default --any-chart --chart PATH; or remove it with: logtool cluster uninstall --name there -n default --any-chart',
    },
  ],
  [
    helmFailure('release-exists', {
      of: 'state',
      verb: 'install',
      release: { name: 'there', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 1,
      status: 'uninstalled',
      description: 'Install complete',
    }),
    {
      what: 'logtool cannot install the release there in the namespace default now: it is uninstalled',
      why: 'revision 1: Install complete',
      next: 'remove the rest of it with: logtool cluster uninstall --name there -n default --any-chart, then install again',
    },
  ],
  [
    helmFailure('release-in-progress', {
      of: 'state',
      verb: 'upgrade',
      release: { name: 'stuck', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 3,
      status: 'pending-upgrade',
      description:
        'the upgrade of stuck failed: the cluster refuses Service "stuck-broken" in namespace "default": failed to create typed patch object (default/stuck-broken; /v1, Kind=Service): .surprise: field not declared in schema',
      ageMs: 36,
      back: {
        kind: 'rollback',
        release: { name: 'stuck', namespace: 'default', chart: 'tiny' },
        revision: 1,
      },
    }),
    {
      what: 'logtool cannot upgrade the release stuck in the namespace default now: it is pending-upgrade',
      why: 'revision 3, begun 0 s ago: the upgrade of stuck failed: the cluster refuses Service "stuck-broken" in namespace "default": failed to create typed patch object (default/stuck-broken; /v1, Kind=Service): .surprise: field not declared in schema',
      next: 'wait if somebody is upgrading it right now; if that was interrupted: logtool cluster rollback --name stuck -n default --any-chart --revision 1',
    },
  ],
  [
    helmFailure('release-in-progress', {
      of: 'state',
      verb: 'upgrade',
      release: { name: 'going', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 3,
      status: 'pending-rollback',
      description: 'Rollback to 1',
      ageMs: 56,
      back: {
        kind: 'rollback',
        release: { name: 'going', namespace: 'default', chart: 'tiny' },
        revision: 1,
      },
    }),
    {
      what: 'logtool cannot upgrade the release going in the namespace default now: it is pending-rollback',
      why: 'revision 3, begun 0 s ago: Rollback to 1',
      next: 'wait if somebody is rolling it back right now; if that was interrupted: logtool cluster rollback --name going -n default --any-chart --revision 1',
    },
  ],
  [
    helmFailure('release-in-progress', {
      of: 'state',
      verb: 'upgrade',
      release: { name: 'going', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 3,
      status: 'pending-rollback',
      description: 'something else',
      ageMs: 68,
      back: {
        kind: 'rollback',
        release: { name: 'going', namespace: 'default', chart: 'tiny' },
        revision: 2,
      },
    }),
    {
      what: 'logtool cannot upgrade the release going in the namespace default now: it is pending-rollback',
      why: 'revision 3, begun 0 s ago: something else',
      next: 'wait if somebody is rolling it back right now; if that was interrupted: logtool cluster rollback --name going -n default --any-chart --revision 2',
    },
  ],
  [
    helmFailure('release-in-progress', {
      of: 'state',
      verb: 'install',
      release: { name: 'there', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 1,
      status: 'uninstalling',
      description: 'Install complete',
      ageMs: 33,
    }),
    {
      what: 'logtool cannot install the release there in the namespace default now: it is uninstalling',
      why: 'revision 1, begun 0 s ago: Install complete',
      next: 'finish it with: logtool cluster uninstall --name there -n default --any-chart',
    },
  ],
  [
    helmFailure('release-in-progress', {
      of: 'state',
      verb: 'install',
      release: { name: 'there', namespace: 'default', chart: 'tiny' },
      chart: { name: 'tiny', version: '0.1.0' },
      revision: 1,
      status: 'pending-install',
      description: 'Install complete',
      ageMs: 52,
    }),
    {
      what: 'logtool cannot install the release there in the namespace default now: it is pending-install',
      why: 'revision 1, begun 0 s ago: Install complete',
      next: 'wait if somebody is installing it right now; if that was interrupted: logtool cluster uninstall --name there -n default --any-chart, then install again',
    },
  ],
  [
    helmFailure('release-not-found', {
      release: { name: 'unnamed', namespace: 'default' },
      canInstall: false,
    }),
    {
      what: 'release unnamed does not exist in namespace default',
      next: 'to see what is installed: logtool cluster list --all',
    },
  ],
  [
    helmFailure('release-not-taken-back', {
      action: { kind: 'installation', name: 'half' },
      failure: helmFailure('object-refused', {
        object: 'ConfigMap "half-broken" in namespace "default"',
        why: 'failed to create typed patch object (default/half-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      }),
      second: helmFailure('hook-failed', {
        event: 'pre-delete',
        hook: { name: 'half-stuck', path: 'tiny/templates/stuck.yaml', kind: 'ConfigMap' },
        namespace: 'default',
        failure: helmFailure('object-refused', {
          object: 'ConfigMap "half-stuck" in namespace "default"',
          why: 'failed to create typed patch object (default/half-stuck; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
        }),
        isDeleted: false,
      }),
      remedy: { kind: 'uninstall', release: { name: 'half', namespace: 'default', chart: 'tiny' } },
    }),
    {
      what: 'the installation of half failed, and undoing it (--atomic) failed too',
      why: 'the cluster refuses ConfigMap "half-broken" in namespace "default"\nfailed to create typed patch object (default/half-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema\nthen: the pre-delete hook half-stuck (tiny/templates/stuck.yaml) failed\nthe cluster refuses ConfigMap "half-stuck" in namespace "default"\nfailed to create typed patch object (default/half-stuck; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      next: 'once you have fixed the cause: logtool cluster uninstall --name half -n default --any-chart',
    },
  ],
  [
    helmFailure('release-not-taken-back', {
      action: { kind: 'upgrade', name: 'stay' },
      failure: helmFailure('object-refused', {
        object: 'ConfigMap "stay-broken" in namespace "default"',
        why: 'failed to create typed patch object (default/stay-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      }),
      second: helmFailure('hook-failed', {
        event: 'pre-rollback',
        hook: { name: 'stay-stuck', path: 'tiny/templates/stuck.yaml', kind: 'ConfigMap' },
        namespace: 'default',
        failure: helmFailure('object-refused', {
          object: 'ConfigMap "stay-stuck" in namespace "default"',
          why: 'failed to create typed patch object (default/stay-stuck; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
        }),
        isDeleted: false,
      }),
      remedy: {
        kind: 'rollback',
        release: { name: 'stay', namespace: 'default', chart: 'tiny' },
        revision: 1,
      },
    }),
    {
      what: 'the upgrade of stay failed, and undoing it (--atomic) failed too',
      why: 'the cluster refuses ConfigMap "stay-broken" in namespace "default"\nfailed to create typed patch object (default/stay-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema\nthen: the pre-rollback hook stay-stuck (tiny/templates/stuck.yaml) failed\nthe cluster refuses ConfigMap "stay-stuck" in namespace "default"\nfailed to create typed patch object (default/stay-stuck; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      next: 'once you have fixed the cause: logtool cluster rollback --name stay -n default --any-chart --revision 1',
    },
  ],
  [
    helmFailure('release-taken-back', {
      action: { kind: 'installation', name: 'back' },
      failure: helmFailure('hook-failed', {
        event: 'post-install',
        hook: { name: 'back-late', path: 'tiny/templates/late.yaml', kind: 'Job' },
        namespace: 'default',
        failure: helmFailure('wait-failed', {
          wanted: 'done',
          pending: {
            object: 'Job "back-late" in namespace "default"',
            obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
          },
          inspect: { kind: 'describe', resource: 'jobs', name: 'back-late', namespace: 'default' },
        }),
        isDeleted: false,
      }),
      left: [
        { kind: 'object', object: 'ConfigMap "back-kept" in namespace "default"', why: { by: 'policy' } },
      ],
    }),
    {
      what: 'the installation of back failed; logtool removed its other objects (--atomic)',
      why: 'the post-install hook back-late (tiny/templates/late.yaml) failed\nJob "back-late" in namespace "default" does not complete\nJob has reached the specified backoff limit\nleft in the cluster: ConfigMap "back-kept" in namespace "default", as its resource policy says',
      next: 'fix what failed and install again; without --atomic the release stays, so that you can inspect it',
    },
  ],
  [
    helmFailure('release-taken-back', {
      action: { kind: 'upgrade', name: 'again' },
      failure: helmFailure('hook-failed', {
        event: 'post-upgrade',
        hook: { name: 'again-step', path: 'tiny/templates/step.yaml', kind: 'Job' },
        namespace: 'default',
        failure: helmFailure('wait-failed', {
          wanted: 'done',
          pending: {
            object: 'Job "again-step" in namespace "default"',
            obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
          },
          inspect: { kind: 'describe', resource: 'jobs', name: 'again-step', namespace: 'default' },
        }),
        isDeleted: false,
      }),
      revision: { made: 3, like: 1 },
      left: [],
    }),
    {
      what: 'the upgrade of again failed; revision 3 restores revision 1 (--atomic)',
      why: 'the post-upgrade hook again-step (tiny/templates/step.yaml) failed\nJob "again-step" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'fix what failed and upgrade again; without --atomic the release stays, so that you can inspect it',
    },
  ],
  [
    helmFailure('release-taken-back', {
      action: { kind: 'installation', name: 'fresh' },
      failure: helmFailure('object-refused', {
        object: 'ConfigMap "fresh-broken" in namespace "default"',
        why: 'failed to create typed patch object (default/fresh-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      }),
      left: [
        { kind: 'object', object: 'ConfigMap "fresh-kept" in namespace "default"', why: { by: 'policy' } },
      ],
    }),
    {
      what: 'the installation of fresh failed; logtool removed its other objects (--atomic)',
      why: 'the cluster refuses ConfigMap "fresh-broken" in namespace "default"\nfailed to create typed patch object (default/fresh-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema\nleft in the cluster: ConfigMap "fresh-kept" in namespace "default", as its resource policy says',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('release-taken-back', {
      action: { kind: 'installation', name: 'early' },
      failure: helmFailure('hook-failed', {
        event: 'pre-install',
        hook: { name: 'early-pre-install', path: 'tiny/templates/pre-install.yaml', kind: 'Job' },
        namespace: 'made',
        failure: helmFailure('wait-failed', {
          wanted: 'done',
          pending: {
            object: 'Job "early-pre-install" in namespace "made"',
            obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
          },
          inspect: { kind: 'describe', resource: 'jobs', name: 'early-pre-install', namespace: 'made' },
        }),
        isDeleted: false,
      }),
      left: [{ kind: 'namespace', name: 'made' }],
    }),
    {
      what: 'the installation of early failed; logtool removed its other objects (--atomic)',
      why: 'the pre-install hook early-pre-install (tiny/templates/pre-install.yaml) failed\nJob "early-pre-install" in namespace "made" does not complete\nJob has reached the specified backoff limit\nleft in the cluster: the namespace made',
      next: 'fix what failed and install again; without --atomic the release stays, so that you can inspect it',
    },
  ],
  [
    helmFailure('release-taken-back', {
      action: { kind: 'upgrade', name: 'more' },
      failure: helmFailure('object-refused', {
        object: 'ConfigMap "more-broken" in namespace "default"',
        why: 'failed to create typed patch object (default/more-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      }),
      revision: { made: 3, like: 1 },
      left: [
        { kind: 'object', object: 'ConfigMap "more-more" in namespace "default"', why: { by: 'policy' } },
      ],
    }),
    {
      what: 'the upgrade of more failed; revision 3 restores revision 1 (--atomic)',
      why: 'the cluster refuses ConfigMap "more-broken" in namespace "default"\nfailed to create typed patch object (default/more-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema\nleft in the cluster: ConfigMap "more-more" in namespace "default", as its resource policy says',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('release-taken-back', {
      action: { kind: 'upgrade', name: 'back' },
      failure: helmFailure('object-refused', {
        object: 'ConfigMap "back-broken" in namespace "default"',
        why: 'failed to create typed patch object (default/back-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      }),
      revision: { made: 3, like: 1 },
      left: [],
    }),
    {
      what: 'the upgrade of back failed; revision 3 restores revision 1 (--atomic)',
      why: 'the cluster refuses ConfigMap "back-broken" in namespace "default"\nfailed to create typed patch object (default/back-broken; /v1, Kind=ConfigMap): .surprise: field not declared in schema',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('release-too-large', {
      release: 'large',
      bytes: 1050344,
      limitBytes: 1044480,
      largest: { name: 'noise.bin', bytes: 783438 },
    }),
    {
      what: 'the release large is too large for the cluster; logtool changed nothing',
      why: 'its record takes 1,050,344 bytes; an object of the cluster holds at most 1,044,480',
      next: 'exclude files of the chart with .helmignore; the largest is noise.bin with 783,438 bytes',
    },
  ],
  [
    helmFailure('release-unrecorded', {
      action: { kind: 'upgrade', name: 'erased' },
      status: 'pending-upgrade',
      failure: kubeFailure('not-found', {
        request: { resource: 'secrets', namespace: 'default', name: 'sh.helm.release.v1.erased.v3' },
        server: 'https://127.0.0.1:8080',
        why: 'secrets "sh.helm.release.v1.erased.v3" not found (404)',
      }),
      unrecorded: kubeFailure('not-found', {
        request: { resource: 'secrets', namespace: 'default', name: 'sh.helm.release.v1.erased.v3' },
        server: 'https://127.0.0.1:8080',
        why: 'secrets "sh.helm.release.v1.erased.v3" not found (404)',
      }),
      remedy: {
        kind: 'rollback',
        release: { name: 'erased', namespace: 'default', chart: 'tiny' },
        revision: 1,
      },
      once: 'fixed',
    }),
    {
      what: 'the upgrade of erased failed, and logtool could not record that: the release may still say pending-upgrade',
      why: 'secrets "sh.helm.release.v1.erased.v3" in namespace "default" was not found\nsecrets "sh.helm.release.v1.erased.v3" not found (404)',
      next: 'once you have fixed the cause: logtool cluster rollback --name erased -n default --any-chart --revision 1',
    },
  ],
  [
    helmFailure('release-unrecorded', {
      action: { kind: 'upgrade', name: 'late' },
      status: 'pending-upgrade',
      failure: kubeFailure('unauthorized', {
        server: 'https://127.0.0.1:8080',
        context: 'admin',
        user: 'admin',
        why: 'Unauthorized',
        hasOwnToken: false,
      }),
      unrecorded: kubeFailure('unauthorized', {
        server: 'https://127.0.0.1:8080',
        context: 'admin',
        user: 'admin',
        why: 'Unauthorized',
        hasOwnToken: false,
      }),
      remedy: {
        kind: 'rollback',
        release: { name: 'late', namespace: 'default', chart: 'tiny' },
        revision: 1,
      },
      once: 'signed-in',
    }),
    {
      what: 'the upgrade of late failed, and logtool could not record that: the release may still say pending-upgrade',
      why: 'the cluster does not accept the credentials of user "admin"\nhttps://127.0.0.1:8080 answered 401 Unauthorized: they are expired, revoked or for another cluster',
      next: 'log in again, then: logtool cluster rollback --name late -n default --any-chart --revision 1',
    },
  ],
  [
    helmFailure('release-unrecorded', {
      action: { kind: 'upgrade', name: 'barred' },
      status: 'pending-upgrade',
      failure: kubeFailure('forbidden', {
        request: { resource: 'configmaps', namespace: 'default', name: 'barred-config' },
        right: {
          verb: 'patch',
          resource: 'configmaps',
          namespace: 'default',
          name: 'barred-config',
          singular: 'configmap',
        },
        why: 'forbidden by an injected fault',
        check: 'kubectl auth can-i patch configmaps/barred-config -n default',
      }),
      unrecorded: kubeFailure('forbidden', {
        request: { resource: 'secrets', namespace: 'default', name: 'sh.helm.release.v1.barred.v2' },
        right: {
          verb: 'update',
          resource: 'secrets',
          namespace: 'default',
          name: 'sh.helm.release.v1.barred.v2',
          singular: 'secret',
        },
        why: 'forbidden by an injected fault',
        check: 'kubectl auth can-i update secrets/sh.helm.release.v1.barred.v2 -n default',
      }),
      remedy: {
        kind: 'rollback',
        release: { name: 'barred', namespace: 'default', chart: 'tiny' },
        revision: 1,
      },
      once: 'fixed',
    }),
    {
      what: 'the upgrade of barred failed, and logtool could not record that: the release may still say pending-upgrade',
      why: 'you lack permission to patch configmap barred-config in namespace default\nforbidden by an injected fault; the cluster answers the same if the object does not exist and your permissions name others\nyou lack permission to update secret sh.helm.release.v1.barred.v2 in namespace default\nforbidden by an injected fault; the cluster answers the same if the object does not exist and your permissions name others',
      next: 'once you have fixed the cause: logtool cluster rollback --name barred -n default --any-chart --revision 1',
    },
  ],
  [
    helmFailure('revision-not-found', {
      release: { name: 'first', namespace: 'default' },
      wanted: 0,
      known: [1],
    }),
    {
      what: 'the release first has no revision before its first',
      why: 'its history has 1',
      next: 'see its revisions with: logtool cluster history --name first -n default',
    },
  ],
])('$code and its data make a message: %#', (failure, message) => {
  expect(helmMessageOf(failure)).toEqual(message);
});

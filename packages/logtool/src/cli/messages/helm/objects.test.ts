import { helmFailure } from '@logtool/helm/src/failures.ts';
import { type CodedError, failuresOf } from '@logtool/kube/src/values/coded-error.ts';
import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import { expect, test } from 'vitest';
import { helmMessageOf } from '../helm.ts';
import type { Message } from '../message.ts';

const kubeFailure = failuresOf<KubeFailures>();

test.each<[CodedError, Message]>([
  [
    helmFailure('apply-conflict', {
      object: 'ConfigMap "contested" in namespace "default"',
      fields: [{ field: '.data.a', message: 'conflict with "operator"' }],
    }),
    {
      what: 'somebody else owns fields of ConfigMap "contested" in namespace "default" that the chart sets',
      why: 'conflict with "operator" .data.a',
      next: 'set the same values in the chart, or have the other owner stop setting these fields',
    },
  ],
  [
    helmFailure('grant-refused', {
      object: 'Role "refused-reads" in namespace "default"',
      why: '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list"]}\n{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["web"], Verbs:["get"]}',
      verb: 'escalate',
    }),
    {
      what: 'Role "refused-reads" in namespace "default" would grant permissions that you do not have yourself',
      why: '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list"]}\n{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["web"], Verbs:["get"]}',
      next: 'ask somebody who has these permissions to do this, or ask for the verb escalate on the role',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'pre-upgrade',
      hook: { name: 'policies-bad', path: 'tiny/templates/bad.yaml', kind: 'Job' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Job "policies-bad" in namespace "default"',
          obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        },
        inspect: { kind: 'describe', resource: 'jobs', name: 'policies-bad', namespace: 'default' },
      }),
      isDeleted: true,
    }),
    {
      what: 'the pre-upgrade hook policies-bad (tiny/templates/bad.yaml) failed',
      why: 'Job "policies-bad" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'fix what failed and try again; without its delete policy hook-failed the hook stays, so that you can inspect it',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'pre-install',
      hook: { name: 'stuck-bad', path: 'tiny/templates/bad.yaml', kind: 'Job' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Job "stuck-bad" in namespace "default"',
          obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        },
        inspect: { kind: 'describe', resource: 'jobs', name: 'stuck-bad', namespace: 'default' },
      }),
      isDeleted: true,
      second: kubeFailure('forbidden', {
        request: { resource: 'jobs.batch', namespace: 'default', name: 'stuck-bad' },
        right: {
          verb: 'delete',
          resource: 'jobs.batch',
          namespace: 'default',
          name: 'stuck-bad',
          singular: 'job.batch',
        },
        why: 'forbidden by an injected fault',
        check: 'kubectl auth can-i delete jobs.batch/stuck-bad -n default',
      }),
    }),
    {
      what: 'the pre-install hook stuck-bad (tiny/templates/bad.yaml) failed',
      why: 'Job "stuck-bad" in namespace "default" does not complete\nJob has reached the specified backoff limit\nthen, while deleting it as its delete policy says: you lack permission to delete job.batch stuck-bad in namespace default\nforbidden by an injected fault; the cluster answers the same if the object does not exist and your permissions name others',
      next: 'check the name, and your permission with: kubectl auth can-i delete jobs.batch/stuck-bad -n default',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'pre-install',
      hook: { name: 'sad-migrate', path: 'tiny/templates/migrate.yaml', kind: 'Job' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Job "sad-migrate" in namespace "default"',
          obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        },
        inspect: { kind: 'describe', resource: 'jobs', name: 'sad-migrate', namespace: 'default' },
      }),
      isDeleted: false,
    }),
    {
      what: 'the pre-install hook sad-migrate (tiny/templates/migrate.yaml) failed',
      why: 'Job "sad-migrate" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'inspect it with: kubectl describe jobs sad-migrate -n default',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'post-install',
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
    {
      what: 'the post-install hook never-step (tiny/templates/step.yaml) failed',
      why: 'Job "never-step" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'inspect it with: kubectl describe jobs never-step -n default',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'post-upgrade',
      hook: { name: 'orphan-upgrade-step', path: 'tiny/templates/step.yaml', kind: 'Job' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Job "orphan-upgrade-step" in namespace "default"',
          obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        },
        inspect: { kind: 'describe', resource: 'jobs', name: 'orphan-upgrade-step', namespace: 'default' },
      }),
      isDeleted: false,
    }),
    {
      what: 'the post-upgrade hook orphan-upgrade-step (tiny/templates/step.yaml) failed',
      why: 'Job "orphan-upgrade-step" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'inspect it with: kubectl describe jobs orphan-upgrade-step -n default',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'post-upgrade',
      hook: { name: 'orphan-uninstall-step', path: 'tiny/templates/step.yaml', kind: 'Job' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Job "orphan-uninstall-step" in namespace "default"',
          obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        },
        inspect: { kind: 'describe', resource: 'jobs', name: 'orphan-uninstall-step', namespace: 'default' },
      }),
      isDeleted: false,
    }),
    {
      what: 'the post-upgrade hook orphan-uninstall-step (tiny/templates/step.yaml) failed',
      why: 'Job "orphan-uninstall-step" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'inspect it with: kubectl describe jobs orphan-uninstall-step -n default',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'post-upgrade',
      hook: { name: 'orphan-rollback-step', path: 'tiny/templates/step.yaml', kind: 'Job' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Job "orphan-rollback-step" in namespace "default"',
          obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        },
        inspect: { kind: 'describe', resource: 'jobs', name: 'orphan-rollback-step', namespace: 'default' },
      }),
      isDeleted: false,
    }),
    {
      what: 'the post-upgrade hook orphan-rollback-step (tiny/templates/step.yaml) failed',
      why: 'Job "orphan-rollback-step" in namespace "default" does not complete\nJob has reached the specified backoff limit',
      next: 'inspect it with: kubectl describe jobs orphan-rollback-step -n default',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'pre-install',
      hook: { name: 'ours-tells-bad', path: 'saying/templates/hook.yaml', kind: 'Pod' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Pod "ours-tells-bad" in namespace "default"',
          obstacle: { problem: 'pod-failed' },
          trouble: {
            problem: {
              of: 'container-ended',
              pod: 'ours-tells-bad',
              container: 'main',
              end: { exitCode: 1, reason: 'Error' },
              isPrevious: false,
            },
            otherPods: 0,
          },
        },
        inspect: { kind: 'logs', pod: 'ours-tells-bad', container: 'main', namespace: 'default' },
      }),
      isDeleted: true,
    }),
    {
      what: 'the pre-install hook ours-tells-bad (saying/templates/hook.yaml) failed',
      why: 'Pod "ours-tells-bad" in namespace "default" does not complete\nthe Pod has failed; the container main of the pod ours-tells-bad: it ended with exit code 1 (Error)',
      next: 'fix what failed and try again; without its delete policy hook-failed the hook stays, so that you can inspect it',
    },
  ],
  [
    helmFailure('hook-failed', {
      event: 'pre-install',
      hook: { name: 'ours-bad-only-good', path: 'saying/templates/hook.yaml', kind: 'Pod' },
      namespace: 'default',
      failure: helmFailure('wait-failed', {
        wanted: 'done',
        pending: {
          object: 'Pod "ours-bad-only-good" in namespace "default"',
          obstacle: { problem: 'pod-failed' },
          trouble: {
            problem: {
              of: 'container-ended',
              pod: 'ours-bad-only-good',
              container: 'main',
              end: { exitCode: 1, reason: 'Error' },
              isPrevious: false,
            },
            otherPods: 0,
          },
        },
        inspect: { kind: 'logs', pod: 'ours-bad-only-good', container: 'main', namespace: 'default' },
      }),
      isDeleted: true,
    }),
    {
      what: 'the pre-install hook ours-bad-only-good (saying/templates/hook.yaml) failed',
      why: 'Pod "ours-bad-only-good" in namespace "default" does not complete\nthe Pod has failed; the container main of the pod ours-bad-only-good: it ended with exit code 1 (Error)',
      next: 'fix what failed and try again; without its delete policy hook-failed the hook stays, so that you can inspect it',
    },
  ],
  [
    helmFailure('image-unavailable', {
      trouble: {
        image: 'registry.example.com/tools:9',
        reason: 'ErrImagePull',
        cause: 'Head "https://registry.example.com/v2/": dial tcp: lookup registry.example.com: no such host',
        container: 'main',
        pod: 'no-image-8678564c87-b67r4',
        namespace: 'shop',
        isOld: false,
      },
    }),
    {
      what: 'the nodes cannot pull the image registry.example.com/tools:9',
      why: 'the container main of the pod no-image-8678564c87-b67r4: ErrImagePull: Head "https://registry.example.com/v2/": dial tcp: lookup registry.example.com: no such host',
      next: 'check the name of the image, and that the nodes may pull it (imagePullSecrets): kubectl describe pod no-image-8678564c87-b67r4 -n shop',
    },
  ],
  [
    helmFailure('image-unavailable', {
      trouble: {
        image: 'registry.example.com/tools:9',
        reason: 'ImagePullBackOff',
        cause: 'Head "https://registry.example.com/v2/": dial tcp: lookup registry.example.com: no such host',
        container: 'main',
        pod: 'no-image-8678564c87-b67r4',
        namespace: 'shop',
        isOld: false,
      },
    }),
    {
      what: 'the nodes cannot pull the image registry.example.com/tools:9',
      why: 'the container main of the pod no-image-8678564c87-b67r4: ImagePullBackOff: Head "https://registry.example.com/v2/": dial tcp: lookup registry.example.com: no such host',
      next: 'check the name of the image, and that the nodes may pull it (imagePullSecrets): kubectl describe pod no-image-8678564c87-b67r4 -n shop',
    },
  ],
  [
    helmFailure('image-unavailable', {
      trouble: {
        image: 'registry.lan/app:1',
        reason: 'ErrImagePull',
        cause: 'unexpected status: 429 Too Many Requests',
        container: 'app',
        pod: 'p',
        namespace: 'shop',
        isOld: false,
      },
      retry: { release: { name: 'web', namespace: 'shop', chart: 'logtool' }, again: 'install' },
    }),
    {
      what: 'the nodes cannot pull the image registry.lan/app:1',
      why: 'the container app of the pod p: ErrImagePull: unexpected status: 429 Too Many Requests',
      next: "name an image that the nodes can pull: logtool cluster install --name web -n shop --image REF\nor let the nodes sign in: kubectl create secret docker-registry NAME -n shop ..., then the same with --set 'image.pullSecrets={NAME}'\nor build the image (npm run build:image in logtool's source), load it into each node (ctr -n k8s.io images import, kind load image-archive) and name it with --image",
    },
  ],
  [
    helmFailure('kind-unknown', { kinds: [{ kind: 'Gadget', apiVersion: 'example.com/v1' }] }),
    {
      what: 'the cluster does not serve Gadget of example.com/v1',
      why: 'the chart contains kinds that this cluster does not have, or no longer has in that version',
      next: 'first install what defines these kinds, or use a version of the chart for this version of Kubernetes',
    },
  ],
  [
    helmFailure('manifest-malformed', { source: 'tiny/templates/a.yaml', problem: 'no-kind' }),
    {
      what: 'tiny/templates/a.yaml is not a Kubernetes object',
      why: 'apiVersion or kind is missing',
      next: 'see the rendered templates with: logtool cluster install --dry-run',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'chart',
      release: 'taken',
      objects: [
        {
          object: 'ConfigMap "taken-cm" in namespace "default"',
          marks: [
            { kind: 'label', key: 'app.kubernetes.io/managed-by', wanted: 'Helm', actual: undefined },
            { kind: 'annotation', key: 'meta.helm.sh/release-name', wanted: 'taken', actual: 'heir' },
          ],
        },
      ],
    }),
    {
      what: 'an object of the chart already exists and belongs to somebody else; logtool changed nothing',
      why: 'ConfigMap "taken-cm" in namespace "default": the label app.kubernetes.io/managed-by must be "Helm", but is missing; the annotation meta.helm.sh/release-name must be "taken", but is "heir"',
      next: 'remove it, choose another --name or --namespace, or set these labels and annotations to hand it over to the release taken',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'other-release',
      object: 'ConfigMap "amid-cm" in namespace "default"',
      owner: { name: 'heir', namespace: undefined },
    }),
    {
      what: 'ConfigMap "amid-cm" in namespace "default" now belongs to release heir; logtool left it unchanged',
      next: 'only one of the two releases can have it: rename it in the chart, or uninstall the other release',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'chart',
      release: 'back',
      objects: [
        {
          object: 'ConfigMap "back-extra" in namespace "default"',
          marks: [
            { kind: 'label', key: 'app.kubernetes.io/managed-by', wanted: 'Helm', actual: undefined },
            { kind: 'annotation', key: 'meta.helm.sh/release-name', wanted: 'back', actual: 'heir' },
          ],
        },
      ],
    }),
    {
      what: 'an object of the chart already exists and belongs to somebody else; logtool changed nothing',
      why: 'ConfigMap "back-extra" in namespace "default": the label app.kubernetes.io/managed-by must be "Helm", but is missing; the annotation meta.helm.sh/release-name must be "back", but is "heir"',
      next: 'remove it, choose another --name or --namespace, or set these labels and annotations to hand it over to the release back',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'hooks',
      objects: [
        {
          object: 'ConfigMap "victim-cm" in namespace "default"',
          owner: { name: 'victim', namespace: 'default' },
          hook: { name: 'victim-cm', path: 'tiny/templates/0.yaml', events: ['pre-install'] },
        },
      ],
      isChecked: true,
    }),
    {
      what: 'a hook would replace an object of another release; logtool changed nothing',
      why: 'ConfigMap "victim-cm" in namespace "default" belongs to release victim in namespace default; the pre-install hook victim-cm (tiny/templates/0.yaml) has the same name',
      next: 'rename the hook in the chart, or uninstall the other release first; if that release no longer exists, delete the object; then try again',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'hooks',
      objects: [
        {
          object: 'ConfigMap "victim-cm" in namespace "default"',
          owner: { name: 'victim', namespace: 'default' },
          hook: { name: 'victim-cm', path: 'tiny/templates/0.yaml', events: ['post-install'] },
        },
      ],
      isChecked: true,
    }),
    {
      what: 'a hook would replace an object of another release; logtool changed nothing',
      why: 'ConfigMap "victim-cm" in namespace "default" belongs to release victim in namespace default; the post-install hook victim-cm (tiny/templates/0.yaml) has the same name',
      next: 'rename the hook in the chart, or uninstall the other release first; if that release no longer exists, delete the object; then try again',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'hooks',
      objects: [
        {
          object: 'ConfigMap "victim-cm" in namespace "default"',
          owner: { name: 'victim', namespace: 'default' },
          hook: { name: 'victim-cm', path: 'tiny/templates/0.yaml', events: ['pre-delete'] },
        },
      ],
      isChecked: true,
    }),
    {
      what: 'a hook would replace an object of another release; logtool changed nothing',
      why: 'ConfigMap "victim-cm" in namespace "default" belongs to release victim in namespace default; the pre-delete hook victim-cm (tiny/templates/0.yaml) has the same name',
      next: 'rename the hook in the chart, or uninstall the other release first; if that release no longer exists, delete the object; then try again',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'hooks',
      objects: [
        {
          object: 'ConfigMap "b-late" in namespace "default"',
          owner: { name: 'heir', namespace: undefined },
          hook: { name: 'b-late', path: 'tiny/templates/0.yaml', events: ['pre-delete'] },
        },
      ],
      isChecked: false,
    }),
    {
      what: 'a hook would replace an object of another release; logtool left it unchanged',
      why: 'ConfigMap "b-late" in namespace "default" belongs to release heir; the pre-delete hook b-late (tiny/templates/0.yaml) has the same name',
      next: 'rename the hook in the chart, or uninstall the other release first; if that release no longer exists, delete the object; then try again',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'replaced-hook',
      object: 'ConfigMap "twice" in namespace "default"',
      hook: { name: 'twice', path: 'tiny/templates/0.yaml' },
    }),
    {
      what: 'somebody replaced ConfigMap "twice" in namespace "default" while the hook twice (tiny/templates/0.yaml) was deleting it; logtool left it unchanged',
      next: 'rename the hook in the chart; or remove the object, then try again',
    },
  ],
  [
    helmFailure('not-owned', {
      of: 'chart',
      release: 'tiny',
      objects: [
        {
          object: 'ConfigMap "foreign" in namespace "default"',
          marks: [
            { kind: 'label', key: 'app.kubernetes.io/managed-by', wanted: 'Helm', actual: undefined },
            { kind: 'annotation', key: 'meta.helm.sh/release-name', wanted: 'tiny', actual: undefined },
            {
              kind: 'annotation',
              key: 'meta.helm.sh/release-namespace',
              wanted: 'default',
              actual: undefined,
            },
          ],
        },
      ],
    }),
    {
      what: 'an object of the chart already exists and belongs to somebody else; logtool changed nothing',
      why: 'ConfigMap "foreign" in namespace "default": the label app.kubernetes.io/managed-by must be "Helm", but is missing; the annotation meta.helm.sh/release-name must be "tiny", but is missing; the annotation meta.helm.sh/release-namespace must be "default", but is missing',
      next: 'remove it, choose another --name or --namespace, or set these labels and annotations to hand it over to the release tiny',
    },
  ],
  [
    helmFailure('object-refused', {
      object: 'Service "good-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/good-broken; /v1, Kind=Service): .surprise: field not declared in schema',
    }),
    {
      what: 'the cluster refuses Service "good-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/good-broken; /v1, Kind=Service): .surprise: field not declared in schema',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('object-refused', {
      object: 'Service "over-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/over-broken; /v1, Kind=Service): .surprise: field not declared in schema',
    }),
    {
      what: 'the cluster refuses Service "over-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/over-broken; /v1, Kind=Service): .surprise: field not declared in schema',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('object-refused', {
      object: 'Service "given-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/given-broken; /v1, Kind=Service): .surprise: field not declared in schema',
    }),
    {
      what: 'the cluster refuses Service "given-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/given-broken; /v1, Kind=Service): .surprise: field not declared in schema',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('object-refused', {
      object: 'Service "stuck-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/stuck-broken; /v1, Kind=Service): .surprise: field not declared in schema',
    }),
    {
      what: 'the cluster refuses Service "stuck-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/stuck-broken; /v1, Kind=Service): .surprise: field not declared in schema',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('object-refused', {
      object: 'Service "erased-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/erased-broken; /v1, Kind=Service): .surprise: field not declared in schema',
    }),
    {
      what: 'the cluster refuses Service "erased-broken" in namespace "default"',
      why: 'failed to create typed patch object (default/erased-broken; /v1, Kind=Service): .surprise: field not declared in schema',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('object-refused', {
      object: 'ConfigMap "odd" in namespace "default"',
      why: 'failed to create typed patch object (default/odd; /v1, Kind=ConfigMap): .dada: field not declared in schema',
    }),
    {
      what: 'the cluster refuses ConfigMap "odd" in namespace "default"',
      why: 'failed to create typed patch object (default/odd; /v1, Kind=ConfigMap): .dada: field not declared in schema',
      next: 'correct the values or the chart; --dry-run shows what would be sent',
    },
  ],
  [
    helmFailure('object-unchangeable', {
      object: 'Job "fixed" in namespace "default"',
      fields: [{ field: 'spec.template', message: 'field is immutable' }],
      resource: { resource: 'jobs', name: 'fixed', namespace: 'default' },
      hasPods: false,
    }),
    {
      what: 'the cluster does not allow the chart\'s change to Job "fixed" in namespace "default"',
      why: 'spec.template: field is immutable',
      next: 'restore its original value in the chart; or, if you can lose the object, delete it and try again: kubectl delete jobs fixed -n default',
    },
  ],
  [
    helmFailure('object-unchangeable', {
      object: 'Service "fixed" in namespace "default"',
      fields: [{ field: 'spec.clusterIPs[0]', message: 'may not change once set' }],
      resource: { resource: 'services', name: 'fixed', namespace: 'default' },
      hasPods: false,
    }),
    {
      what: 'the cluster does not allow the chart\'s change to Service "fixed" in namespace "default"',
      why: 'spec.clusterIPs[0]: may not change once set',
      next: 'restore its original value in the chart; or, if you can lose the object, delete it and try again: kubectl delete services fixed -n default',
    },
  ],
  [
    helmFailure('object-unnamed', { kind: 'ConfigMap' }),
    {
      what: 'a ConfigMap of the chart has no name; logtool changed nothing',
      why: 'with metadata.generateName the cluster chooses the name, so the release could not find its object again',
      next: 'give it a name in the chart; a hook may go without one',
    },
  ],
  [
    helmFailure('wait-failed', {
      wanted: 'ready',
      pending: {
        object: 'Job "migration" in namespace "shop"',
        obstacle: { problem: 'reported', message: 'Job has reached the specified backoff limit' },
        trouble: {
          problem: {
            of: 'container-ended',
            pod: 'migration-v6bhz',
            container: 'main',
            end: { exitCode: 3, reason: 'Error' },
            isPrevious: false,
          },
          otherPods: 0,
        },
      },
      inspect: { kind: 'logs', pod: 'migration-v6bhz', container: 'main', namespace: 'shop' },
    }),
    {
      what: 'Job "migration" in namespace "shop" does not become ready',
      why: 'Job has reached the specified backoff limit; the container main of the pod migration-v6bhz: it ended with exit code 3 (Error)',
      next: 'inspect it with: logtool logs pods/migration-v6bhz/main -n shop --tail=50',
    },
  ],
  [
    helmFailure('wait-failed', {
      wanted: 'ready',
      pending: {
        object: 'Deployment "a" in namespace "default"',
        obstacle: { problem: 'reported', message: 'too slow' },
      },
      inspect: { kind: 'describe', resource: 'deployments', name: 'a', namespace: 'default' },
    }),
    {
      what: 'Deployment "a" in namespace "default" does not become ready',
      why: 'too slow',
      next: 'inspect it with: kubectl describe deployments a -n default',
    },
  ],
  [
    helmFailure('wait-failed', {
      wanted: 'ready',
      pending: {
        object: 'Pod "a" in namespace "default"',
        obstacle: { problem: 'failed' },
        trouble: { problem: { of: 'failed', pod: 'a' }, otherPods: 0 },
      },
      inspect: { kind: 'describe', resource: 'pod', name: 'a', namespace: undefined },
    }),
    {
      what: 'Pod "a" in namespace "default" does not become ready',
      why: 'it has failed; the pod a has failed',
      next: 'inspect it with: kubectl describe pod a',
    },
  ],
  [
    helmFailure('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 0,
      pending: [
        { object: 'Deployment "never-made" in namespace "default"', obstacle: { problem: 'absent' } },
      ],
      inspect: { kind: 'list', resource: 'deployments', name: 'never-made', namespace: 'default' },
    }),
    {
      what: 'one object is not ready after 0 s',
      why: 'Deployment "never-made" in namespace "default": it does not exist',
      next: 'inspect it with: kubectl get deployments -n default; or give it more time with --timeout',
    },
  ],
  [
    helmFailure('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 60000,
      pending: [
        {
          object: 'Deployment "crashing" in namespace "shop"',
          obstacle: { problem: 'pods-missing', count: 0, wanted: 2, are: 'available' },
          trouble: {
            problem: {
              of: 'container-crashing',
              pod: 'crashing-7b4d5bb9d9-6md4m',
              container: 'main',
              reason: 'CrashLoopBackOff',
              end: { exitCode: 3, reason: 'Error' },
            },
            otherPods: 1,
          },
        },
      ],
      inspect: { kind: 'logs', pod: 'crashing-7b4d5bb9d9-6md4m', container: 'main', namespace: 'shop' },
    }),
    {
      what: 'one object is not ready after 60 s',
      why: 'Deployment "crashing" in namespace "shop": 0 of 2 pods are available; the container main of the pod crashing-7b4d5bb9d9-6md4m: CrashLoopBackOff, its last run ended with exit code 3 (Error), and 1 other pod',
      next: 'inspect it with: logtool logs pods/crashing-7b4d5bb9d9-6md4m/main -n shop --tail=50; or give it more time with --timeout',
    },
  ],
  [
    helmFailure('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 60000,
      pending: [
        {
          object: 'StatefulSet "homeless" in namespace "shop"',
          obstacle: { problem: 'pods-missing', count: 0, wanted: 1, are: 'ready' },
          trouble: {
            problem: {
              of: 'unscheduled',
              pod: 'homeless-0',
              message:
                "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
            },
            otherPods: 0,
          },
        },
      ],
      inspect: { kind: 'describe', resource: 'pod', name: 'homeless-0', namespace: 'shop' },
    }),
    {
      what: 'one object is not ready after 60 s',
      why: 'StatefulSet "homeless" in namespace "shop": 0 of 1 pods are ready; no node takes the pod homeless-0: 0/1 nodes are available: 1 node(s) didn\'t match Pod\'s node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
      next: 'inspect it with: kubectl describe pod homeless-0 -n shop; or give it more time with --timeout',
    },
  ],
  [
    helmFailure('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 60000,
      pending: [
        {
          object: 'PersistentVolumeClaim "data" in namespace "shop"',
          obstacle: { problem: 'no-volume' },
          trouble: {
            problem: {
              of: 'event',
              reason: 'ProvisioningFailed',
              message: 'storageclass.storage.k8s.io "fast" not found',
            },
            otherPods: 0,
          },
        },
      ],
      inspect: { kind: 'describe', resource: 'persistentvolumeclaims', name: 'data', namespace: 'shop' },
    }),
    {
      what: 'one object is not ready after 60 s',
      why: 'PersistentVolumeClaim "data" in namespace "shop": no volume is bound to it; ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
      next: 'inspect it with: kubectl describe persistentvolumeclaims data -n shop; or give it more time with --timeout',
    },
  ],
  [
    helmFailure('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 60000,
      pending: [
        {
          object: 'Deployment "one-too-many" in namespace "full"',
          obstacle: { problem: 'pods-missing', count: 1, wanted: 2, are: 'new' },
          trouble: {
            problem: {
              of: 'refused-pods',
              message:
                'pods "one-too-many-6b557b9897-" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1',
            },
            otherPods: 0,
          },
        },
      ],
      inspect: { kind: 'describe', resource: 'deployments', name: 'one-too-many', namespace: 'full' },
    }),
    {
      what: 'one object is not ready after 60 s',
      why: 'Deployment "one-too-many" in namespace "full": 1 of 2 pods are new; pods "one-too-many-6b557b9897-" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1',
      next: 'inspect it with: kubectl describe deployments one-too-many -n full; or give it more time with --timeout',
    },
  ],
  [
    helmFailure('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 60000,
      pending: [
        {
          object: 'StatefulSet "not-one" in namespace "closed"',
          obstacle: { problem: 'pods-missing', count: 0, wanted: 1, are: 'ready' },
          trouble: {
            problem: {
              of: 'event',
              reason: 'FailedCreate',
              message:
                'create Pod not-one-0 in StatefulSet not-one failed error: pods "not-one-0" is forbidden: exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0',
            },
            otherPods: 0,
          },
        },
      ],
      inspect: { kind: 'describe', resource: 'statefulsets', name: 'not-one', namespace: 'closed' },
    }),
    {
      what: 'one object is not ready after 60 s',
      why: 'StatefulSet "not-one" in namespace "closed": 0 of 1 pods are ready; FailedCreate: create Pod not-one-0 in StatefulSet not-one failed error: pods "not-one-0" is forbidden: exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0',
      next: 'inspect it with: kubectl describe statefulsets not-one -n closed; or give it more time with --timeout',
    },
  ],
  [
    helmFailure('wait-timeout', {
      of: 'objects',
      wanted: 'ready',
      timeoutMs: 60000,
      pending: [
        {
          object: 'Deployment "crashing" in namespace "shop"',
          obstacle: { problem: 'pods-missing', count: 0, wanted: 2, are: 'available' },
        },
      ],
      inspect: { kind: 'describe', resource: 'deployments', name: 'crashing', namespace: 'shop' },
    }),
    {
      what: 'one object is not ready after 60 s',
      why: 'Deployment "crashing" in namespace "shop": 0 of 2 pods are available',
      next: 'inspect it with: kubectl describe deployments crashing -n shop; or give it more time with --timeout',
    },
  ],
  [
    helmFailure('wait-timeout', { of: 'kinds', timeoutMs: 50, missing: ['Widget of never.example.com/v1'] }),
    {
      what: 'the cluster does not serve Widget of never.example.com/v1 after 0.05 s',
      why: "logtool installed the definitions in the chart's crds/, but the cluster does not list their kinds yet",
      next: 'install again once kubectl api-resources shows them, or give it more time with --timeout',
    },
  ],
])('$code and its data make a message: %#', (failure, message) => {
  expect(helmMessageOf(failure)).toEqual(message);
});

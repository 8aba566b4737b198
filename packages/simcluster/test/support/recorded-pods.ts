import { recording } from './recorded-exchange.ts';
import {
  after,
  crasher,
  fileOf,
  hundred,
  initStatus,
  looper,
  missingFile,
  newest,
  oddExit,
  older,
  onceCrashed,
  ownLines,
  ownText,
  quiet,
  rotator,
  type Setup,
  timeZone,
  unscheduled,
  utf8,
  waiting,
  wrote,
} from './recorded-setups.ts';

/** The pod setup of each recording with a single request. For tests only. */
export const SETUPS: Readonly<Record<string, Setup>> = {
  'plain-all': quiet,
  'plain-all-http2': quiet,
  timestamps: quiet,
  'tail-more-than-there-is': quiet,
  'container-empty': quiet,
  'container-explicit': wrote('lab/multi', 'I am first\n', 'first'),
  'previous-absent': quiet,
  'previous-and-follow-absent': quiet,
  'tail-0': hundred,
  'tail-3': hundred,
  'limitbytes-10': hundred,
  'limitbytes-10-timestamps': hundred,
  'limitbytes-tail': hundred,
  'limitbytes-mid-character': wrote('lab/euro', '€€\n'),
  'since-time-nanoseconds': hundred,
  'since-time-whole-second': hundred,
  'since-time-offset': hundred,
  'since-time-and-tail': hundred,
  'since-time-and-tail-larger': hundred,
  'since-time-future': hundred,
  'since-time-empty': hundred,
  'since-seconds-3': ownLines('lab/ticker', '2026-11-21T01:53:24.816000000Z tick 317\n'),
  'timestamps-stdout-stderr': ownLines('shop/web-6b54d74474-4tmnr', older, 'sidecar'),
  'timestamps-node-time-zone': timeZone,
  'timestamps-node-time-zone-since': timeZone,
  'odd-bytes': oddExit,
  'odd-bytes-timestamps': oddExit,
  'completed-pod': oddExit,
  'follow-completed': oddExit,
  'tail-counts-fragments-10': oddExit,
  'tail-counts-fragments-11': oddExit,
  'tail-counts-fragments-12': oddExit,
  'tail-counts-fragments-13': oddExit,
  'odd-running-unterminated': after(fileOf('shop/odd', 'odd/0.log'), (node) => {
    node.runtime.write(newest(node, 'uid-odd'), { bytes: utf8('last line without newline') });
  }),
  'partial-interleaved': fileOf('lab/interleave2', 'interleave/0.log'),
  'partial-interleaved-timestamps': fileOf('lab/interleave2', 'interleave/0.log'),
  'pod-terminating': (node, name) => {
    wrote('lab/terminating', 'hello\n')(node, name);
    node.setPod('lab/terminating', {
      metadata: {
        name: 'terminating',
        namespace: 'lab',
        uid: 'uid-terminating',
        resourceVersion: '2',
        creationTimestamp: '',
        deletionTimestamp: '2026-11-21T02:00:00Z',
      },
    });
    return undefined;
  },
  'silent-container': wrote('lab/silent', ''),
  'container-omitted-single-regular': ownText('shop/with-init'),
  'ephemeral-container-omitted': ownText('shop/db-0'),
  'native-sidecar': (node, name) => {
    const text = `older\n${recording(name).body}`;
    return initStatus('initContainerStatuses', 'shop/with-init', 'log-shipper', text, false)(node, name);
  },
  'init-running': initStatus('initContainerStatuses', 'shop/init-stuck', 'first', 'first runs\n', false),
  'init-container-done': initStatus('initContainerStatuses', 'lab/multi', 'prep', 'prepared\n', true),
  'follow-completed-2': initStatus('initContainerStatuses', 'lab/multi', 'prep', 'prepared\n', true),
  'ephemeral-running': initStatus(
    'ephemeralContainerStatuses',
    'shop/db-0',
    'debugger',
    'debug shell here\n[\n[[\nacpid\n',
    false,
  ),
  'ephemeral-terminated': initStatus(
    'ephemeralContainerStatuses',
    'shop/db-0',
    'oneshot',
    'one shot\n',
    true,
  ),
  'ephemeral-just-added': (node) => {
    node.setPod('shop/db-0', { status: { ephemeralContainerStatuses: [] } });
    return undefined;
  },
  'init-crashloop': (node) => {
    const run = node.start('shop/init-fails', 'check');
    node.runtime.write(run.containerId, { bytes: utf8('schema check failed\n') });
    node.runtime.exit(run.containerId, 1);
    const lastState = { terminated: { containerID: run.containerId } };
    const check = { name: 'check', state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState };
    node.setPod('shop/init-fails', { status: { initContainerStatuses: [check] } });
    return undefined;
  },
  'init-not-started': (node) => {
    node.setPod('shop/init-stuck', { spec: { nodeName: 'node-1', initContainers: [{}, {}] } });
    return undefined;
  },
  'main-while-init-runs': waiting('shop/init-stuck', 'main', 'PodInitializing'),
  'main-while-init-runs-no-container': waiting('shop/init-stuck', 'main', 'PodInitializing'),
  'main-after-init-failed': waiting('shop/init-fails', 'main', 'PodInitializing'),
  'waiting-container-creating': waiting('shop/creating', 'main', 'ContainerCreating'),
  'waiting-follow': waiting('shop/creating', 'main', 'ContainerCreating'),
  'waiting-err-image-pull': waiting('lab/badimg', 'main', 'ErrImagePull'),
  'waiting-image-pull-backoff': waiting('shop/bad-image', 'cart', 'ImagePullBackOff'),
  'pending-unscheduled': unscheduled,
  'pending-unscheduled-follow': unscheduled,
  'crashloop-phase-running-current': looper('running'),
  'crashloop-phase-running-previous': looper('running'),
  'crashloop-phase-terminated-current': looper('terminated'),
  'crashloop-phase-terminated-previous': looper('terminated'),
  'crashloop-phase-waiting-current': looper('waiting'),
  'crashloop-phase-waiting-previous': looper('waiting'),
  'current-crashloop': crasher,
  'previous-present': crasher,
  'previous-and-follow': crasher,
  'follow-crashloop-wait': crasher,
  'previous-of-running': onceCrashed,
  'previous-of-running-current': onceCrashed,
  'previous-follow-of-running': onceCrashed,
  'rotated-plain': rotator,
  'rotated-since': rotator,
  'rotated-tail-large': rotator,
  'rotated-just-now-tail-50': rotator,
  'rotated-then-silent': after(fileOf('shop/odd', 'odd/0.log'), (node) => {
    node.runtime.rotate(newest(node, 'uid-odd'));
  }),
  'log-file-missing': missingFile,
  'log-file-missing-follow': missingFile,
  'kubelet-down': after(quiet, ({ runtime }) => runtime.kubeletDown('node-1')),
  'kubelet-down-follow': after(quiet, ({ runtime }) => runtime.kubeletDown('node-1')),
  'kubelet-just-up': after(quiet, ({ runtime }) => {
    runtime.kubeletDown('node-1');
    runtime.kubeletUp('node-1');
  }),
  'runtime-just-restarted': (node, name) => {
    wrote('lab/ticker', 'tick 1\n')(node, name);
    node.runtime.runtimeDown('node-1');
    node.runtime.runtimeUp('node-1');
    return (expected) => expected.replace(/containerd:\/\/[0-9a-f]{64}/, newest(node, 'uid-ticker'));
  },
};

import { type NodeUnderTest, running, stamp } from './node-under-test.ts';
import { putFile, putStamped, recording } from './recorded-exchange.ts';

/** Puts the pod of a recording on the node, as it was when it was recorded; may change what is expected. */
export type Setup = (node: NodeUnderTest, name: string) => undefined | ((expected: string) => string);

const utf8 = (text: string) => Buffer.from(text);

function fileOf(pod: string, file: string, container = 'main'): Setup {
  return (node) => {
    const run = node.run(pod, container);
    putFile(node, run.containerId, file);
    return undefined;
  };
}

/** A process that wrote this text and still runs. */
function wrote(pod: string, text: string, container = 'main'): Setup {
  return (node) => {
    const run = node.run(pod, container);
    node.runtime.write(run.containerId, { bytes: utf8(text) });
    return undefined;
  };
}

/** The lines of the recorded answer itself behind older ones that it must leave out. */
function ownLines(pod: string, older: string, container = 'main'): Setup {
  return (node, name) => {
    const run = node.run(pod, container);
    putStamped(node, run.containerId, older + recording(name).body.toString());
    return undefined;
  };
}

/** The text of the recorded answer behind a line that tailLines must leave out. */
function ownText(pod: string): Setup {
  return (node, name) => wrote(pod, `older\n${recording(name).body}`)(node, name);
}

/** The 100 lines of lab/hundred: recorded times where an answer has them, the moments between drawn even. */
const hundred: Setup = (node) => {
  const known = new Map<number, string>();
  for (const name of [
    'limitbytes-10-timestamps',
    'since-time-nanoseconds',
    'since-time-and-tail-larger',
    'since-time-and-tail',
  ]) {
    for (const match of recording(name)
      .body.toString()
      .matchAll(/^(\S+Z) line (\d+)\n/gm)) {
      known.set(Number(match[2]), match[1] ?? '');
    }
  }
  const run = node.run('lab/hundred');
  let lastKnown = 1;
  for (let line = 1; line <= 100; line++) {
    if (known.has(line)) lastKnown = line;
    const at = stamp(known.get(lastKnown) ?? '');
    const nanos = at.nanos + (line - lastKnown);
    node.runtime.append(run.containerId, { bytes: utf8(`line ${line}`), at: { ...at, nanos } });
  }
  return undefined;
};

function waiting(pod: string, container: string, reason: string): Setup {
  return (node) => {
    node.setPod(pod, { status: {} });
    node.report(pod, container, { state: { waiting: { reason } } });
    return undefined;
  };
}

function initStatus(
  list: 'initContainerStatuses' | 'ephemeralContainerStatuses',
  pod: string,
  container: string,
  text: string,
  ended: boolean,
): Setup {
  return (node) => {
    const run = node.start(pod, container);
    node.runtime.write(run.containerId, { bytes: utf8(text) });
    if (ended) node.runtime.exit(run.containerId, 0);
    const state = ended ? { terminated: { containerID: run.containerId } } : { running: {} };
    node.setPod(pod, { status: { [list]: [{ name: container, containerID: run.containerId, state }] } });
    return undefined;
  };
}

/** The crash loop lab/looper: runs 1795226180 and 1795226196, and one before them that the kubelet removes. */
function looper(phase: 'running' | 'terminated' | 'waiting'): Setup {
  return (node) => {
    const first = node.start('lab/looper', 'main', 0);
    node.runtime.exit(first.containerId, 1);
    const second = node.start('lab/looper', 'main', 1);
    node.runtime.write(second.containerId, { bytes: utf8('run at 1795226180\ndying\n') });
    node.runtime.exit(second.containerId, 1);
    const third = node.start('lab/looper', 'main', 2);
    node.runtime.write(third.containerId, { bytes: utf8('run at 1795226196\n') });
    const ended = (containerID: string) => ({ terminated: { containerID } });
    if (phase === 'running') {
      node.report('lab/looper', 'main', running(third, second.containerId));
      return undefined;
    }
    node.runtime.write(third.containerId, { bytes: utf8('dying\n') });
    node.runtime.exit(third.containerId, 1);
    const lastState = ended(phase === 'waiting' ? third.containerId : second.containerId);
    const state =
      phase === 'waiting' ? { waiting: { reason: 'CrashLoopBackOff' } } : ended(third.containerId);
    node.report('lab/looper', 'main', { state, lastState });
    return (expected) => expected.replace(/containerd:\/\/[0-9a-f]{64}/, second.containerId);
  };
}

/** A container in CrashLoopBackOff whose last run is the recorded answer with timestamps. */
const crasher: Setup = (node) => {
  const run = node.start('shop/crasher');
  putStamped(node, run.containerId, recording('current-crashloop').body.toString());
  node.runtime.exit(run.containerId, 1);
  const lastState = { terminated: { containerID: run.containerId } };
  node.report('shop/crasher', 'main', { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState });
  return undefined;
};

const onceCrashed: Setup = (node) => {
  const first = node.start('lab/once-crashed', 'main', 0);
  putFile(node, first.containerId, 'restarted/0.log');
  node.runtime.exit(first.containerId, 1);
  const second = node.start('lab/once-crashed', 'main', 1);
  putFile(node, second.containerId, 'restarted/1.log');
  node.report('lab/once-crashed', 'main', running(second, first.containerId));
  return undefined;
};

const oddExit: Setup = (node) => {
  const run = node.start('shop/odd-exit');
  putFile(node, run.containerId, 'odd-exit/0.log');
  node.runtime.exit(run.containerId, 0);
  node.report('shop/odd-exit', 'main', { state: { terminated: { containerID: run.containerId } } });
  return undefined;
};

/** lab/rotator with its lines before the newest file, a rotation, and those of the newest file. */
const rotator: Setup = (node, name) => {
  const { first = 0, last = 0 } = recording(name).facts ?? {};
  const run = node.run('lab/rotator');
  for (let line = first - 100; line <= last; line++) {
    if (line === first) node.runtime.rotate(run.containerId);
    node.runtime.write(run.containerId, { bytes: utf8(`seq ${line} ${'a'.repeat(84)}\n`) });
  }
  return undefined;
};

/** The pod of another setup, and what happened to its node or its log after that. */
function after(setup: Setup, act: (node: NodeUnderTest) => void): Setup {
  return (node, name) => {
    setup(node, name);
    act(node);
    return undefined;
  };
}

const unscheduled: Setup = (node) => {
  node.setPod('shop/unschedulable', { spec: {} });
  return undefined;
};

/** ID of the newest run of a pod's container `main`. */
function newest(node: NodeUnderTest, podUid: string): string {
  return node.runtime.runs(podUid, 'main').at(-1)?.containerId ?? '';
}

const quiet = fileOf('lab/quiet', 'quiet/0.log');
const timeZone: Setup = (node, name) => {
  node.runtime.setTimeZone('node-1', 330);
  return fileOf('lab/tz', 'time-zone/0.log')(node, name);
};
const older = '2026-11-21T01:40:00.000000000Z older\n';

/** The pod of each recording that is asked for once. For tests only. */
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

function missingFile(node: NodeUnderTest, name: string): undefined {
  const uid = '463b7bbe-fc08-4dd1-8969-decd1be9bf23';
  const metadata = { name: 'nofile', namespace: 'lab', uid, resourceVersion: '1', creationTimestamp: '' };
  node.setPod('lab/nofile', { metadata });
  wrote('lab/nofile', 'a line\n')(node, name);
  node.runtime.deleteLogFile(newest(node, uid));
  return undefined;
}

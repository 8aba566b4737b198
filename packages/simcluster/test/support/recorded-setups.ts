import { type NodeUnderTest, running, stamp } from './node-under-test.ts';
import { putFile, putStamped, recording } from './recorded-exchange.ts';

// How the pods of recordings got to their state. For tests only.

/**
 * Creates the pod of a recording on the node, in its recorded state; may return a function that changes the expected
 * text.
 */
export type Setup = (node: NodeUnderTest, name: string) => undefined | ((expected: string) => string);

export const utf8 = (text: string) => Buffer.from(text);

export function fileOf(pod: string, file: string, container = 'main'): Setup {
  return (node) => {
    const run = node.run(pod, container);
    putFile(node, run.containerId, file);
    return undefined;
  };
}

/** A process that wrote this text and still runs. */
export function wrote(pod: string, text: string, container = 'main'): Setup {
  return (node) => {
    const run = node.run(pod, container);
    node.runtime.write(run.containerId, { bytes: utf8(text) });
    return undefined;
  };
}

/** The lines of the recorded response itself, after older ones that the response must omit. */
export function ownLines(pod: string, older: string, container = 'main'): Setup {
  return (node, name) => {
    const run = node.run(pod, container);
    putStamped(node, run.containerId, older + recording(name).body.toString());
    return undefined;
  };
}

/** The text of the recorded response, after a line that tailLines must omit. */
export function ownText(pod: string): Setup {
  return (node, name) => wrote(pod, `older\n${recording(name).body}`)(node, name);
}

/** The 100 lines of lab/hundred: recorded times for lines that a response contains, evenly spaced times in between. */
export const hundred: Setup = (node) => {
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

export function waiting(pod: string, container: string, reason: string): Setup {
  return (node) => {
    node.setPod(pod, { status: {} });
    node.report(pod, container, { state: { waiting: { reason } } });
    return undefined;
  };
}

export function initStatus(
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

/** The crash loop lab/looper: runs 1795226180 and 1795226196, and an earlier one that the kubelet removes. */
export function looper(phase: 'running' | 'terminated' | 'waiting'): Setup {
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

/** A container in CrashLoopBackOff whose last run is the recorded response with timestamps. */
export const crasher: Setup = (node) => {
  const run = node.start('shop/crasher');
  putStamped(node, run.containerId, recording('current-crashloop').body.toString());
  node.runtime.exit(run.containerId, 1);
  const lastState = { terminated: { containerID: run.containerId } };
  node.report('shop/crasher', 'main', { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState });
  return undefined;
};

export const onceCrashed: Setup = (node) => {
  const first = node.start('lab/once-crashed', 'main', 0);
  putFile(node, first.containerId, 'restarted/0.log');
  node.runtime.exit(first.containerId, 1);
  const second = node.start('lab/once-crashed', 'main', 1);
  putFile(node, second.containerId, 'restarted/1.log');
  node.report('lab/once-crashed', 'main', running(second, first.containerId));
  return undefined;
};

export const oddExit: Setup = (node) => {
  const run = node.start('shop/odd-exit');
  putFile(node, run.containerId, 'odd-exit/0.log');
  node.runtime.exit(run.containerId, 0);
  node.report('shop/odd-exit', 'main', { state: { terminated: { containerID: run.containerId } } });
  return undefined;
};

/** lab/rotator with the lines before the newest file, a rotation, and the lines of the newest file. */
export const rotator: Setup = (node, name) => {
  const { first = 0, last = 0 } = recording(name).facts ?? {};
  const run = node.run('lab/rotator');
  for (let line = first - 100; line <= last; line++) {
    if (line === first) node.runtime.rotate(run.containerId);
    node.runtime.write(run.containerId, { bytes: utf8(`seq ${line} ${'a'.repeat(84)}\n`) });
  }
  return undefined;
};

/** The pod of another setup, followed by an action on its node or its log. */
export function after(setup: Setup, act: (node: NodeUnderTest) => void): Setup {
  return (node, name) => {
    setup(node, name);
    act(node);
    return undefined;
  };
}

export const unscheduled: Setup = (node) => {
  node.setPod('shop/unschedulable', { spec: {} });
  return undefined;
};

/** Returns the ID of the newest run of a pod's container `main`. */
export function newest(node: NodeUnderTest, podUid: string): string {
  return node.runtime.runs(podUid, 'main').at(-1)?.containerId ?? '';
}

export const quiet = fileOf('lab/quiet', 'quiet/0.log');
export const timeZone: Setup = (node, name) => {
  node.runtime.setTimeZone('node-1', 330);
  return fileOf('lab/tz', 'time-zone/0.log')(node, name);
};
export const older = '2026-11-21T01:40:00.000000000Z older\n';

export function missingFile(node: NodeUnderTest, name: string): undefined {
  const uid = '463b7bbe-fc08-4dd1-8969-decd1be9bf23';
  const metadata = { name: 'nofile', namespace: 'lab', uid, resourceVersion: '1', creationTimestamp: '' };
  node.setPod('lab/nofile', { metadata });
  wrote('lab/nofile', 'a line\n')(node, name);
  node.runtime.deleteLogFile(newest(node, uid));
  return undefined;
}

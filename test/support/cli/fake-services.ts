import { parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { logs } from '@logtool/logtool/src/cli/commands/logs.ts';
import { parseCommandLine } from '@logtool/logtool/src/cli/flags/find-command.ts';
import type { LogsServices } from '@logtool/logtool/src/cli/logs/logs-services.ts';
import type { ContainerTarget } from '@logtool/logtool/src/domain/container.ts';
import type { Frame } from '@logtool/logtool/src/domain/frame.ts';
import { type LogRecord, makeRun } from '@logtool/logtool/src/domain/record.ts';
import type { ResolveEvent } from '@logtool/logtool/src/domain/resolve-event.ts';
import type { EnginePlan } from '@logtool/logtool/src/stream/plan/engine.ts';
import { scanLogs } from '@logtool/logtool/src/stream/scan/scan-logs.ts';
import { fakeClient } from '../fake-client.ts';
import { type CaptureOptions, capture } from './capture.ts';

export function target(pod: string, changes: Partial<ContainerTarget> = {}): ContainerTarget {
  return {
    id: `uid-${pod}/app`,
    namespace: 'shop',
    pod,
    podUid: `uid-${pod}`,
    container: 'app',
    kind: 'regular',
    placement: { node: 'node-a', region: 'eu-west-1', zone: 'eu-west-1a', os: 'linux', arch: 'amd64' },
    state: { kind: 'running', containerId: `containerd://${pod}`, startedAt: undefined },
    restartCount: 0,
    lastContainerId: undefined,
    mayRestart: true,
    podPhase: 'Running',
    deleting: false,
    ...changes,
  };
}

export function at(text: string): Timestamp {
  const time = parseTimestamp(text);
  if (time === undefined) throw new Error(`no timestamp: ${text}`);
  return time;
}

export function record(
  of: ContainerTarget,
  time: string,
  message: string | Uint8Array,
  more: Partial<LogRecord> = {},
) {
  return {
    run: makeRun(of, `containerd://${of.pod}`),
    at: at(time),
    seq: 0,
    message: typeof message === 'string' ? Buffer.from(message) : message,
    partial: false,
    late: false,
    ...more,
  } satisfies LogRecord;
}

export const records = (...all: LogRecord[]): Frame => ({ type: 'records', records: all });
export const end = (more: Partial<Extract<Frame, { type: 'end' }>> = {}): Frame => ({
  type: 'end',
  live: false,
  prev: undefined,
  next: undefined,
  cut: false,
  ...more,
});

/** Fakes events and frames instead of a cluster. The engine takes all events first, like the real one. */
export function fakeServices(events: readonly ResolveEvent[], frames: readonly Frame[]) {
  const seen: { plan?: EnginePlan; events: ResolveEvent[]; closed: boolean } = { events: [], closed: false };
  const services: LogsServices = {
    connect: async () => {
      const close = () => {
        seen.closed = true;
      };
      return fakeClient({}, { close });
    },
    resolve: async function* () {
      yield* events;
    },
    scan: scanLogs,
    read: async function* (_context, sources, plan) {
      seen.plan = plan;
      for await (const event of sources) seen.events.push(event);
      yield* frames;
    },
  };
  return { services, seen };
}

/** Runs `logtool logs ARGUMENTS` with fake services. */
export async function printed(
  argv: readonly string[],
  events: readonly ResolveEvent[],
  frames: readonly Frame[],
  options: CaptureOptions = {},
) {
  const world = capture([], options);
  const { services, seen } = fakeServices(events, frames);
  const code = await logs(world.context, parseCommandLine(['logs', ...argv]), services);
  return {
    code,
    stdout: world.stdout(),
    stderr: world.stderr(),
    bytes: world.stdoutBytes(),
    writes: world.writes(),
    seen,
  };
}

/** The number of containers that write a burst. */
export const WRITERS = 10;
/** Numbered lines of 150 bytes. */
export const LINE = `2026-11-21 INFO  request {n} done `.padEnd(152 - 5, 'abcdefghij klmnop ');

/** A numbered line in a known format, which a row parses. */
export const STRUCTURED_LINE =
  'level=info msg="request {n} done" user=ada route=/checkout status=200 duration_ms=20.9 trace_id=80c6a1f23b9c4d5e7a08b2d94c6e15f1';

const app = (name: string, replicas: number, lines?: readonly string[]) => ({
  kind: 'Deployment',
  name,
  replicas,
  containers: [{ name: 'app', image: 'registry.example.com/bench/app:1.0.0', lines }],
});
const FIFTY = Array.from({ length: 50 }, (_, index) => `starting, step ${index}`);

/** Workloads of one to a hundred containers, and two whose containers write on demand. */
export const LOGS = {
  description: 'What the dashboard is measured with.',
  seed: 11,
  clusterName: 'bench',
  namespace: 'bench',
  namespaces: ['bench'],
  startDelays: 'none',
  // Never rotate, so that a million lines exist to go back to.
  logMaxBytes: 1_000_000_000,
  nodes: [{ name: 'node', copies: 3, pods: 200, region: 'eu-west-1', zone: 'eu-west-1a' }],
  workloads: [
    app('one', 1, FIFTY),
    app('three', 3, FIFTY),
    app('six', 6, FIFTY),
    app('hundred', 100, FIFTY),
    app('writer', WRITERS, ['up']),
    app('talker', WRITERS, ['up']),
  ],
};

/** Lines per container, in a hundred containers. */
export const WIDE_LINES = 2_000;

/**
 * One container with a large log, written before any reading (cluster/write-logs.ts), and a hundred with smaller ones.
 */
export const LARGE = {
  description: 'What scans are measured with.',
  seed: 11,
  clusterName: 'bench',
  namespace: 'bench',
  namespaces: ['bench'],
  startDelays: 'none',
  backfill: '1h',
  logMaxBytes: 1_000_000_000,
  nodes: [{ name: 'node', pods: 200, region: 'eu-west-1', zone: 'eu-west-1a' }],
  workloads: [
    app('big', 1),
    app(
      'wide',
      100,
      Array.from({ length: WIDE_LINES }, (_, index) => `request ${index} `.padEnd(150, 'abcdefghij ')),
    ),
  ],
};

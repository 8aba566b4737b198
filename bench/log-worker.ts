import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { makeHistogram } from '@logtool/logtool/src/ui/worker/coverage/histogram.ts';
import { StreamIntake } from '@logtool/logtool/src/ui/worker/intake/stream-intake.ts';
import { Searcher } from '@logtool/logtool/src/ui/worker/search/searcher.ts';
import { HeldLog } from '@logtool/logtool/src/ui/worker/store/held-log.ts';
import { makeRow } from '@logtool/logtool/src/ui/worker/store/row.ts';
import { sourceOf } from '../test/support/ui/worker/fake-line.ts';

/*
 * Measures the console's log worker: taking in lines from NDJSON, memory of a full buffer, searches over it.
 * `node --expose-gc scripts/run/run-ts.mjs bench/log-worker.ts [lines]`
 */

const LINES = Number(process.argv[2] ?? 1_000_000);
const BATCH = 256;
const LEVELS = ['INFO', 'INFO', 'INFO', 'DEBUG', 'WARN', 'INFO', 'INFO', 'ERROR'];

function message(index: number): string {
  const head = `2026-11-21T10:00:00.000Z ${LEVELS[index % 97 === 0 ? 7 : index % 7]} request ${index} from 10.1.2.${index % 250}`;
  const isJson = index % 4 === 0;
  const text = isJson
    ? `{"level":"info","msg":"request ${index}","route":"/api/v1/orders/${index % 1000}","ms":${index % 300},"trace":"`
    : head;
  return text.padEnd(148, 'abcdefghij klmnop ') + (isJson ? '"}' : ' .');
}

function* bodies(): Generator<string> {
  for (let start = 0; start < LINES; start += BATCH) {
    const records: unknown[] = [];
    for (let index = start; index < Math.min(LINES, start + BATCH); index++) {
      // A tenth arrives a little late.
      const at = index % 10 === 3 ? index - 40 : index;
      records.push([
        index % 50,
        1_800_000_000 + Math.floor(at / 1000),
        (at % 1000) * 1e6 + (index % 50),
        message(index),
        1,
      ]);
    }
    yield JSON.stringify({ type: 'records', q: 1, records });
  }
}

const log = new HeldLog({ lines: LINES, bytes: 2 ** 29 });
const intake = new StreamIntake(log, {
  clock: systemClock,
  isOpened: () => true,
  onEnd: () => {},
  onChange: () => {},
});
intake.take([
  {
    type: 'sources',
    q: 1,
    sources: Array.from({ length: 50 }, (_, index) => sourceOf(`web/${index}`, index)),
  },
]);
log.edges.older = 'beginning';

const gc = (globalThis as { gc?: () => void }).gc;
gc?.();
const before = process.memoryUsage();
let spentMs = 0;
let viewMs = 0;
for (const body of bodies()) {
  const began = performance.now();
  intake.take([JSON.parse(body)]);
  log.trim();
  const middle = performance.now();
  log.view.refresh();
  viewMs += performance.now() - middle;
  spentMs += middle - began;
}
gc?.();
const after = process.memoryUsage();
const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
console.log(`taken in: ${Math.round((spentMs * 1e6) / LINES)} ns a line (parse, level, order, store)`);
console.log(`view kept: ${Math.round((viewMs * 1e6) / LINES)} ns a line`);
console.log(`held: ${log.store.lines} lines, ${mb(log.store.arena.bytes)} of text`);
console.log(
  `memory: heap ${mb(after.heapUsed - before.heapUsed)} + buffers ${mb(after.arrayBuffers - before.arrayBuffers)}`,
);

const searcher = new Searcher(log, () => {
  log.view.settle();
});
const plan = { matchCase: false, wholeWord: false, regex: false, only: true };
for (const [text, more] of [
  ['request 77777', {}],
  ['error', {}],
  ['ERROR', { matchCase: true }],
  ['info -debug "from 10.1.2.7 "', {}],
  ['nothing-like-this', {}],
  ['@level:error,warn', {}],
  ['@json.route:/api/v1/orders/444', {}],
  ['request', { wholeWord: true }],
  ['request \\d+7777', { regex: true }],
  ['[a-f]{3}\\d{2,}', { regex: true }],
] as const) {
  for (let round = 0; round < 2; round++) {
    searcher.set({ ...plan, text: '', ...more });
    const began = performance.now();
    searcher.set({ ...plan, text, ...more });
    while (searcher.status.state === 'searching') {
      await searcher.settled();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const ms = performance.now() - began;
    const counting = performance.now();
    log.view.refresh();
    const hits = log.view.count('hits');
    const counted = performance.now() - counting;
    if (round === 1)
      console.log(`search ${text}: ${Math.round(ms)} ms, ${hits} hits (+ ${Math.round(counted)} ms view)`);
  }
}
const time = (name: string, work: () => unknown) => {
  work();
  const began = performance.now();
  work();
  console.log(`${name}: ${(performance.now() - began).toFixed(1)} ms`);
};
searcher.set({ ...plan, text: 'error' });
await searcher.settled();
log.view.filter = { byFields: false, bySearch: true, paused: false };
time('filter the view anew', () => {
  log.view.invalidate();
  log.view.refresh();
});
time('histogram of 120', () => makeHistogram(log, 120));
time('ticks', () => log.view.ticks('errors', 200));
time('60 rows', () =>
  log.view.slice(Math.floor(log.view.total / 2), 60).map((id, at) => makeRow(log, id, at, searcher.hitsIn)),
);
searcher.close();

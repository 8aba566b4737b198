import { parentPort } from 'node:worker_threads';
import type { ValueMap } from '../value/value.ts';
import { CHARTS_IN_PROCESS, renderRelease } from './charts-in-process.ts';
import type { Lookup } from './lookup.ts';
import { restoreIntegers } from './restore-integers.ts';
import { packError } from './thread-error.ts';
import type { FromThread, Task, ToThread } from './thread-messages.ts';

/* The thread that works on charts: the program ends it if it takes too much time or memory. */

/** Pending lookups by task. */
const waiting = new Map<number, { found(value: ValueMap): void; failed(error: Error): void }>();

const send = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  const { id } = restoreIntegers(message);
  if (message.kind === 'task') void run(id, message.task);
  else if (message.kind === 'found') waiting.get(id)?.found(message.value);
  else {
    message.kind satisfies 'not-found';
    waiting.get(id)?.failed(new Error(message.message));
  }
});

async function run(id: number, task: Task): Promise<void> {
  try {
    send({ id, kind: 'done', result: await resultOf(id, task) });
  } catch (error) {
    send({ id, kind: 'failed', error: packError(error) });
  }
}

function resultOf(id: number, task: Task): Promise<unknown> {
  const charts = CHARTS_IN_PROCESS;
  switch (task.kind) {
    case 'load':
      return charts.load(task.path);
    case 'unpack':
      return charts.unpack(task.archive);
    case 'readObjects':
      return charts.readObjects(task.manifest);
    case 'render':
      return renderRelease(task.input, lookupOf(id), (step) => send({ id, kind: 'step', step }));
  }
}

/** Returns a lookup that queries the cluster through the thread with the connection. */
function lookupOf(id: number): Lookup {
  return (query) =>
    new Promise((found, failed) => {
      waiting.set(id, { found, failed });
      send({ id, kind: 'lookup', query });
    });
}

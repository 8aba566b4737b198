import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ScenarioGenerator } from '../scenario/container-schema.ts';
import { durationMs } from '../scenario/duration.ts';
import { fill } from './fill.ts';
import { binaryLine, longLine } from './formats/bytes.ts';
import { javaLines } from './formats/java.ts';
import {
  ansiLine,
  type Format,
  jsonLine,
  klogLine,
  logfmtLine,
  nginxErrorLine,
  plainLine,
  postgresLine,
  webLine,
} from './formats/text.ts';
import { type Level, type Message, ORDINARY_LEVELS, ORDINARY_MESSAGES } from './messages.ts';
import type { Emission } from './program.ts';
import type { Random } from './random.ts';

const FORMATS: Readonly<Record<ScenarioGenerator['format'], Format>> = {
  web: webLine,
  json: jsonLine,
  logfmt: logfmtLine,
  java: javaLines,
  klog: klogLine,
  ansi: ansiLine,
  binary: binaryLine,
  long: longLine,
  postgres: postgresLine,
  plain: plainLine,
  'nginx-error': nginxErrorLine,
};

/**
 * Yields endless lines at a mean rate with random intervals (a Poisson process), plus bursts. `from` and `until` are
 * offsets from `servingMs`.
 */
export function* traffic(
  generator: ScenarioGenerator,
  startMs: number,
  servingMs: number,
  random: Random,
): Generator<Emission, undefined> {
  const { from, until, limit = Number.POSITIVE_INFINITY, logger = 'app' } = generator;
  const fromMs = from === undefined ? startMs : Math.max(startMs, servingMs + durationMs(from));
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : servingMs + durationMs(until);
  const format = FORMATS[generator.format];
  const messages = messagesByLevel(generator);
  let n = 0;
  for (const atMs of moments(generator, fromMs, random)) {
    if (atMs >= untilMs) return undefined;
    n += 1;
    const at = nanosecondsOf(atMs, random);
    const { level, text } = messages.draw(random);
    const stream = streamOf(generator, level);
    const message = fill(text, random, n);
    for (const line of format({ at, level, message, logger, random, n })) {
      const whole = typeof line === 'string' ? Buffer.from(line) : line;
      const bytes = padded(whole, generator, random);
      yield { kind: 'emission', dueMs: atMs, at, stream, bytes, newline: true, partial: false };
    }
    if (n >= limit) return undefined;
  }
  return undefined;
}

/** Yields the times of the messages, ms since the epoch, without end. */
function* moments(
  { perSecond, evenly, burst }: ScenarioGenerator,
  fromMs: number,
  random: Random,
): Generator<number, never> {
  const meanMs = 1000 / perSecond;
  let atMs = fromMs;
  let inBurst = 0;
  let nextBurstMs = fromMs + burstDistanceMs(burst, random);
  for (;;) {
    if (inBurst === 0 && atMs >= nextBurstMs) {
      inBurst = burst?.lines ?? 0;
      nextBurstMs = atMs + burstDistanceMs(burst, random);
    }
    if (inBurst > 0) {
      inBurst--;
      atMs += random.next() * 2;
    } else atMs += evenly ? meanMs : -Math.log(1 - random.next()) * meanMs;
    yield atMs;
  }
}

function messagesByLevel(generator: ScenarioGenerator): { draw(random: Random): Message } {
  const own = generator.messages;
  const all: readonly Message[] = own ?? ORDINARY_MESSAGES;
  const levels = generator.levels ?? (own === undefined ? ORDINARY_LEVELS : undefined);
  if (levels === undefined) {
    const weights = all.map((message) => message.weight);
    return { draw: (random) => all[random.weighted(weights)] as Message };
  }
  const groups = (Object.keys(levels) as Level[]).map((level) => {
    const messages = all.filter((message) => message.level === level);
    return { level, weight: levels[level] ?? 0, messages: messages.length > 0 ? messages : all };
  });
  const weights = groups.map((group) => group.weight);
  return {
    draw: (random) => {
      const group = groups[random.weighted(weights)] as (typeof groups)[number];
      const message = group.messages[random.weighted(group.messages.map((m) => m.weight))] as Message;
      return { ...message, level: group.level };
    },
  };
}

function burstDistanceMs(burst: ScenarioGenerator['burst'], random: Random): number {
  if (burst === undefined) return Number.POSITIVE_INFINITY;
  return durationMs(burst.every) * (0.75 + random.next() / 2);
}

function streamOf(generator: ScenarioGenerator, level: Level): 'stdout' | 'stderr' {
  if (generator.stream !== 'by-level') return generator.stream;
  return level === 'error' || level === 'fatal' ? 'stderr' : 'stdout';
}

function padded(bytes: Uint8Array, generator: ScenarioGenerator, random: Random): Uint8Array {
  if (generator.bytes === undefined) return bytes;
  const size = random.int(generator.bytes.min, Math.max(generator.bytes.min, generator.bytes.max));
  if (bytes.length >= size) return bytes;
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length, ' .')]);
}

function nanosecondsOf(ms: number, random: Random): Timestamp {
  const seconds = Math.floor(ms / 1000);
  const nanos = Math.min(999_999_999, Math.floor((ms - seconds * 1000) * 1e6) + random.int(0, 199));
  return { seconds, nanos };
}

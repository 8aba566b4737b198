import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { NEWER, type Sample, samplesOf } from '../../../../../test/support/contract/newer-codes.ts';
import { WireError } from '../../contract/error.ts';
import { WireFact } from '../../contract/facts.ts';
import { Why } from '../../contract/kube-problems.ts';
import { LogFrame } from '../../contract/log-frame.ts';
import { LogLack } from '../../contract/log-lack.ts';
import type { LogSource } from '../../contract/log-source.ts';
import { CodedNotice } from '../../contract/notices.ts';
import { Doubt, WireVerdict } from '../../contract/why.ts';
import type { Fact, Severity } from '../../domain/facts/fact.ts';
import type { Verdict } from '../../domain/verdicts/verdict.ts';
import { doubtText } from '../../messages/doubts.ts';
import { extentText } from '../../messages/explanation.ts';
import { factLine } from '../../messages/facts.ts';
import { lackText } from '../../messages/log-lack.ts';
import { whyText } from '../../messages/problems.ts';
import { unknownCodeText } from '../../messages/unknown-code.ts';
import { verdictText } from '../../messages/verdicts.ts';
import { factRowText, severityText } from './facts.ts';
import { logMessageOf } from './log-message-of.ts';
import { markerOfGap, markerOfState, stateKey, textOfMany } from './markers.ts';
import { noticeText } from './notices.ts';

const SOURCE: LogSource = {
  id: 'web-0/app',
  order: 'web-0/app',
  namespace: 'shop',
  pod: 'web-0',
  container: 'app',
} as LogSource;

/** Values that many others contain. They have their own rows below. */
const FIXED = new Map<unknown, unknown>([
  [Why, 'it failed'],
  [WireError, { code: 'closing', data: {} }],
  [WireFact, {}],
  [Doubt, { code: 'no-lines', data: { container: 'app' } }],
]);

type Frame<T extends LogFrame['type']> = Extract<LogFrame, { readonly type: T }>;
const EMPTY_TIME = { seconds: 1, nanos: 0 };

/** What the page shows of an error: a message without its first line is none. */
function errorText(error: WireError): string {
  const { what, why, next } = logMessageOf(error);
  expect(what).toBeTypeOf('string');
  return [what, why, next].filter((text) => text !== undefined).join('\n');
}

function frameText(frame: LogFrame): string {
  if (frame.type === 'gap') return markerOfGap(frame, SOURCE, 0).text;
  if (frame.type === 'state') return stateText(frame);
  return '';
}

function stateText(frame: Frame<'state'>): string {
  const marker = markerOfState(frame, SOURCE, 0)?.text;
  const many = frame.state === 'reconnecting' ? undefined : textOfMany(frame, 2, ['web']);
  return [marker, many, stateKey(frame)].join('\n');
}

function factTexts(wire: Omit<Fact, 'at' | 'until' | 'since'>): string {
  const times = { at: EMPTY_TIME, until: EMPTY_TIME, since: EMPTY_TIME };
  const fact = { ...wire, ...times } as Fact;
  return [factLine(fact), factRowText(fact, undefined)].join('\n');
}

function verdictTexts(verdict: Verdict): string {
  return [verdictText(verdict), extentText(verdict, () => '12:00:00')].join('\n');
}

/** What the server sends -> its text. */
const SHOWN: Readonly<
  Record<string, readonly [schema: z.ZodType, minSamples: number, textOf: (value: never) => string]>
> = {
  error: [WireError, 200, errorText],
  reason: [Why, 50, whyText],
  notice: [CodedNotice, 40, noticeText],
  frame: [LogFrame, 20, frameText],
  fact: [WireFact, 20, factTexts],
  lack: [LogLack, 1, lackText],
  doubt: [Doubt, 30, doubtText],
  verdict: [WireVerdict, 60, verdictTexts],
};

/** What is wrong with the text of a code that this version does not know; undefined if nothing is. */
function faultOf(sample: Sample, textOf: (value: unknown) => string): string | undefined {
  const text = attempt(() => textOf(sample.with(NEWER)));
  if (text.includes(unknownCodeText(NEWER))) return undefined;
  // Each has the data of this one: some of them throw.
  const known = sample.known.map((code) => ({ code, text: attempt(() => textOf(sample.with(code))) }));
  // No text shows the code, or each shows it as a name: `its readiness probe failed`.
  const isSilent = known.every((one) => one.text === text);
  const isName = known.some(
    (one) => one.text.includes(one.code) && one.text.replace(one.code, NEWER) === text,
  );
  return isSilent || isName ? undefined : text;
}

function attempt(textOf: () => string): string {
  try {
    return textOf();
  } catch (error) {
    return `throws ${error}`;
  }
}

describe.each(Object.entries(SHOWN))('the %s of a newer server', (_, [schema, minSamples, textOf]) => {
  test('has a sentence that names each code that this version does not know', () => {
    // A frame of another type has no text: the page leaves it out.
    const samples = samplesOf(schema, FIXED).filter(({ path }) => path !== 'type');
    expect(samples.length).toBeGreaterThanOrEqual(minSamples);
    const faults = samples.flatMap((sample) => {
      const fault = faultOf(sample, textOf as (value: unknown) => string);
      return fault === undefined ? [] : [`${sample.path} of ${JSON.stringify(sample.with(NEWER))}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });
});

test('the sentence names the code and who knows it', () => {
  const sentence = 'a newer server reports "log-slow", which this version does not know';
  expect(doubtText({ code: 'log-slow', data: {} } as never)).toBe(sentence);
  expect(logMessageOf({ code: 'log-slow', data: {} })).toEqual({ what: sentence, next: 'Reload the page.' });
});

test('a text that throws, takes the text of another code, or shows no code at all is found', () => {
  const sample: Sample = { path: 'code', known: ['a', 'b'], with: (code) => code };
  const texts = { a: 'the first', b: 'the second' };
  expect(faultOf(sample, (code) => (code === 'a' ? texts.a : texts.b))).toBe('the second');
  expect(faultOf(sample, (code) => `it is ${texts[code as 'a']}`)).toBe('it is undefined');
  expect(faultOf(sample, (code) => texts[code as 'a'].trim())).toContain('throws TypeError');
  expect(faultOf(sample, (code) => `probe ${code} failed`)).toBeUndefined();
  expect(faultOf(sample, () => 'it failed')).toBeUndefined();
});

test('a severity of a newer server is named by its code', () => {
  expect(severityText('critical' as Severity)).toBe(unknownCodeText('critical'));
  expect(severityText('fatal')).toBe('Fatal event');
});

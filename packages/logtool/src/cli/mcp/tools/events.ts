import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { z } from 'zod';
import { type Fact, SEVERITIES } from '../../../domain/facts/fact.ts';
import { Redactor } from '../../../domain/redact/redactor.ts';
import { factLabel, factText } from '../../../messages/facts.ts';
import { clipBytes } from '../answer/clip.ts';
import {
  type Answer,
  composeText,
  countKinds,
  fitNotes,
  newFence,
  redactedList,
  redactedText,
  shrinkToFit,
} from '../answer/compose.ts';
import { DESCRIPTIONS } from '../messages/descriptions.ts';
import { ANSWER_FIELDS } from '../messages/fields.ts';
import { happenedText } from '../messages/happened.ts';
import { noteText } from '../messages/notes.ts';
import { planFacts } from '../plan-read.ts';
import { readHappened } from '../read-happened.ts';
import { FILTERS, MAX_BYTES_ARGUMENT, NOTES, REDACTED, SOURCE } from './arguments.ts';
import { tool } from './tool.ts';

const FIELDS = ANSWER_FIELDS.events;

/** Maximum size of each text that the cluster reports about one fact. */
const MAX_TEXT_BYTES = 500;

const EVENT = z.object({
  time: z.string().describe(FIELDS.time),
  severity: z.enum(SEVERITIES),
  object: z.string().describe(FIELDS.object),
  reason: z.string(),
  text: z.string().describe(FIELDS.text),
});

export const events = tool({
  name: 'events',
  ...DESCRIPTIONS.events,
  input: z.object({
    source: SOURCE,
    since: FILTERS.since,
    until: FILTERS.until,
    warnings: z.boolean().optional().describe(FIELDS.warnings),
    offset: z.int().min(0).optional().describe(FIELDS.offset),
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: z.object({
    summary: z.string(),
    events: z.array(EVENT).describe(FIELDS.events),
    total: z.int().describe(FIELDS.total),
    truncated: z.boolean(),
    nextOffset: z.int().optional().describe(FIELDS.nextOffset),
    redacted: REDACTED,
    notes: NOTES,
  }),
  async call(reader, given, signal) {
    const client = await reader.client();
    const plan = await planFacts(reader, client, given);
    const { facts, troubles } = await readHappened(reader, client, plan, signal);
    const wanted = facts.filter(({ severity }) => given.warnings !== true || severity !== 'normal');
    const all = wanted.map((fact) => eventOf(fact, reader.redacts ? new Redactor() : undefined));
    const notes = troubles.map(noteText);
    return fittedAnswer(all, { offset: given.offset ?? 0, notes, maxBytes: given.max_bytes });
  },
});

interface ShownEvent {
  readonly fields: z.infer<typeof EVENT>;
  readonly kinds: readonly string[];
}

function eventOf(fact: Fact, redactor: Redactor | undefined): ShownEvent {
  const { subject, severity, at, until } = fact;
  const kinds: string[] = [];
  const clean = (text: string) => {
    const plain = sanitizeText(text);
    const found = redactor?.redact(plain, undefined, MAX_TEXT_BYTES) ?? { text: plain, kinds: [] };
    kinds.push(...found.kinds);
    return clipBytes(found.text, MAX_TEXT_BYTES);
  };
  const { namespace, kind, name, container } = subject;
  const object = [namespace, kind.toLowerCase(), name, container].filter(Boolean).join('/');
  const fields = {
    time: formatTimestamp(until ?? at).replace(/\.0+(?=Z)/, ''),
    severity,
    object: clean(object),
    reason: clean(factLabel(fact)),
    text: clean(factText(fact)),
  };
  return { fields, kinds };
}

interface AnswerFacts {
  readonly offset: number;
  readonly notes: readonly string[];
  readonly maxBytes: number;
}

/** Answers with as many events before the offset as fit. */
function fittedAnswer(all: readonly ShownEvent[], { offset, notes, maxBytes }: AnswerFacts): Answer {
  const fence = newFence();
  const end = Math.max(0, all.length - offset);
  const shownNotes = fitNotes(notes, maxBytes);
  return shrinkToFit(end, maxBytes, (count) =>
    answerOf(all.slice(end - count, end), { total: all.length, offset, notes: shownNotes, fence }),
  );
}

interface Shown {
  readonly total: number;
  readonly offset: number;
  readonly notes: readonly string[];
  readonly fence: string;
}

function answerOf(shown: readonly ShownEvent[], { total, offset, notes, fence }: Shown): Answer {
  const counts = countKinds(shown.flatMap(({ kinds }) => kinds));
  const redacted = redactedText(counts);
  const summary = happenedText({ total, shown: shown.length, offset, isWhole: notes.length === 0 });
  const nextOffset = offset + shown.length;
  const data = shown.map(
    ({ fields: { time, severity, object, reason, text } }) =>
      `${time} ${severity} [${reason}] ${object} ${text}`,
  );
  const head = [summary, ...(redacted === undefined ? [] : [redacted])];
  return {
    text: composeText({ head, notes, data }, fence),
    structured: {
      summary,
      events: shown.map(({ fields }) => fields),
      total,
      truncated: nextOffset < total,
      ...(nextOffset < total ? { nextOffset } : {}),
      redacted: redactedList(counts),
      notes,
    },
  };
}

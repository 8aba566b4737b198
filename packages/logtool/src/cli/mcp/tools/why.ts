import { z } from 'zod';
import { whyAnswer } from '../answer/why-answer.ts';
import { DESCRIPTIONS } from '../messages/descriptions.ts';
import { ANSWER_FIELDS } from '../messages/fields.ts';
import { noteText } from '../messages/notes.ts';
import { readExplanation } from '../read-explanation.ts';
import { FILTERS, MAX_BYTES_ARGUMENT, NOTES, REDACTED, SOURCE } from './arguments.ts';
import { tool } from './tool.ts';

const FIELDS = ANSWER_FIELDS.why;

const LINE = z.object({
  time: z.string().describe(FIELDS.lineTime),
  message: z.string().describe(FIELDS.message),
  detail: z.string().optional().describe(FIELDS.detail),
  origin: z.string().optional().describe(FIELDS.origin),
  isFirstError: z.boolean().describe(FIELDS.isFirstError),
});

const CAUSE = z.object({
  code: z.string().describe(FIELDS.code),
  workload: z.string().optional().describe(FIELDS.workload),
  text: z.string().describe(FIELDS.text),
  isOver: z.boolean().describe(FIELDS.isOver),
  since: z.string().describe(FIELDS.since),
  until: z.string(),
  pods: z.array(z.string()),
  podCount: z.int(),
  restarts: z.int(),
  doubts: z.array(z.string()).describe(FIELDS.doubts),
  events: z.array(z.string()).describe(FIELDS.events),
  lines: z.array(LINE).describe(FIELDS.lines),
});

const BRIEF = z.object({
  code: z.string().describe(FIELDS.code),
  workload: z.string().optional().describe(FIELDS.workload),
  text: z.string().describe(FIELDS.text),
});

export const why = tool({
  name: 'why',
  ...DESCRIPTIONS.why,
  input: z.object({
    source: SOURCE,
    since: FILTERS.since.describe(FIELDS.range),
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: z.object({
    summary: z.string(),
    outcome: z.enum(['explained', 'healthy', 'unexplained', 'unread']),
    state: z.string().describe(FIELDS.state),
    causes: z.array(CAUSE).describe(FIELDS.causes),
    otherCauses: z.array(BRIEF).optional().describe(FIELDS.otherCauses),
    causeCount: z.int(),
    unexplained: z.array(z.string()).describe(FIELDS.unexplained),
    also: z.array(z.string()).describe(FIELDS.also),
    truncated: z.boolean().describe(FIELDS.truncated),
    redacted: REDACTED,
    notes: NOTES,
  }),
  async call(reader, given, signal) {
    const client = await reader.client();
    const { explanation, notices, failures } = await readExplanation(reader, client, given, signal);
    const troubles = [...notices, ...failures.map((error) => ({ type: 'failed' as const, error }))];
    return whyAnswer(explanation, {
      name: [given.source].flat().join(' '),
      notes: troubles.map(noteText),
      redacts: reader.redacts,
      maxBytes: given.max_bytes,
    });
  },
});

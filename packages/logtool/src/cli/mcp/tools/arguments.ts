import { z } from 'zod';
import { LEVELS } from '../../../domain/filter.ts';
import { ANSWER_FIELDS } from '../messages/fields.ts';

const FIELDS = ANSWER_FIELDS.shared;

const DEFAULT_BYTES = 16 * 1024;
/** A smaller answer has no room for its own facts. */
const MIN_BYTES = 1024;
const MAX_BYTES = 1024 * 1024;
const MAX_SOURCES = 20;
const MAX_TEXT = 1000;

const sourceText = z.string().min(1).max(500);

export const SOURCE = z
  .union([sourceText, z.array(sourceText).min(1).max(MAX_SOURCES)])
  .describe(FIELDS.source);

export const MAX_BYTES_ARGUMENT = z
  .int()
  .min(MIN_BYTES)
  .max(MAX_BYTES)
  .default(DEFAULT_BYTES)
  .describe(FIELDS.maxBytes);

/** The arguments that select records. */
export const FILTERS = {
  all_containers: z.boolean().optional().describe(FIELDS.allContainers),
  since: z.string().max(100).optional().describe(FIELDS.since),
  until: z.string().max(100).optional().describe(FIELDS.until),
  grep: z.string().max(MAX_TEXT).optional().describe(FIELDS.grep),
  exclude: z.string().max(MAX_TEXT).optional().describe(FIELDS.exclude),
  ignore_case: z.boolean().optional().describe(FIELDS.ignoreCase),
  level: z
    .union([z.enum(LEVELS), z.array(z.enum(LEVELS)).max(LEVELS.length)])
    .optional()
    .describe(FIELDS.level),
} as const;

const RECORD = z.object({
  time: z.string().describe(FIELDS.time),
  id: z.string().optional().describe(FIELDS.id),
  namespace: z.string(),
  pod: z.string(),
  container: z.string(),
  level: z.string().optional(),
  message: z.string().describe(FIELDS.message),
  cutBytes: z.int().optional().describe(FIELDS.cutBytes),
});

export const REDACTED = z.array(z.object({ kind: z.string(), count: z.int() })).describe(FIELDS.redacted);
export const NOTES = z.array(z.string()).describe(FIELDS.notes);

/** A page of records, the answer of `logs` and `around`. */
export const PAGE = z.object({
  summary: z.string(),
  records: z.array(RECORD).describe(FIELDS.records),
  truncated: z.boolean().describe(FIELDS.truncated),
  older: z.string().optional().describe(FIELDS.older),
  newer: z.string().optional().describe(FIELDS.newer),
  redacted: REDACTED,
  notes: NOTES,
});

import type { KubeClient } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { z } from 'zod';
import { isNamespaceAllowed } from '../../../domain/access/allowed-namespaces.ts';
import { Redactor } from '../../../domain/redact/redactor.ts';
import { checkNamespace } from '../../../domain/source-syntax.ts';
import { PROBLEM_KINDS, type ProblemKind, problemKindOf } from '../../../domain/verdicts/workload-problem.ts';
import { serverFailure } from '../../../server/failures.ts';
import { type Row, stateOf } from '../../picker/choice.ts';
import { type ListedWorkloads, listWorkloads } from '../../picker/list-workloads.ts';
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
import { messageOf } from '../messages/message-of.ts';
import {
  cutKindText,
  foundText,
  ONE_NAMESPACE_NOTE,
  UNREAD_STATE,
  unlistedText,
  workloadText,
} from '../messages/workloads.ts';
import type { McpReader } from '../reader.ts';
import { withinTime } from '../within-time.ts';
import { MAX_BYTES_ARGUMENT, NOTES, REDACTED } from './arguments.ts';
import { tool } from './tool.ts';

const FIELDS = ANSWER_FIELDS.find_workloads;

/** Maximum size of an event's message, or of a container's waiting reason. */
const MAX_DETAIL = 300;

const WORKLOAD = z.object({
  source: z.string().describe(FIELDS.source),
  state: z.string().describe(FIELDS.state),
  isFailing: z.boolean(),
  problem: z.enum(PROBLEM_KINDS).optional().describe(FIELDS.problem),
  lastRestartAt: z.string().optional(),
  lastExit: z.string().optional(),
  waiting: z.string().optional(),
  lastWarning: z.string().optional().describe(FIELDS.lastWarning),
});

export const findWorkloads = tool({
  name: 'find_workloads',
  ...DESCRIPTIONS.find_workloads,
  input: z.object({
    namespace: z.string().max(63).optional().describe(FIELDS.namespace),
    query: z.string().max(200).optional().describe(FIELDS.query),
    failing: z.boolean().optional().describe(FIELDS.failing),
    pods: z.boolean().optional().describe(FIELDS.pods),
    offset: z.int().min(0).optional().describe(FIELDS.offset),
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: z.object({
    summary: z.string(),
    workloads: z.array(WORKLOAD),
    total: z.int().describe(FIELDS.total),
    truncated: z.boolean(),
    nextOffset: z.int().optional().describe(FIELDS.nextOffset),
    redacted: REDACTED,
    notes: NOTES,
  }),
  async call(reader, given, signal) {
    const client = await reader.client();
    const { found, notes } = await withinTime(reader, signal, (limited) =>
      listed(reader, client, given.namespace, limited),
    );
    const arePodsUnread = found.failures.has('pods');
    const judged = found.rows.map((row): JudgedRow => {
      // Without their pods, nothing but what its object reports is known of a workload.
      const problem = arePodsUnread && !row.isFailing ? undefined : problemKindOf(row, reader.clock.now());
      return { row, problem, state: arePodsUnread ? UNREAD_STATE : stateOf(row) };
    });
    const wanted = worstFirst(judged.filter((each) => isWanted(each, given)));
    const shown = wanted.map((each) => workloadOf(each, reader.redacts ? new Redactor() : undefined));
    return answerFor(shown, { offset: given.offset ?? 0, notes, maxBytes: given.max_bytes });
  },
});

/**
 * Lists workloads of all namespaces, or of the allowed ones; only of the context's namespace if the user may
 * not list others.
 */
async function listed(
  { allowedNamespaces: allowed, clock }: McpReader,
  client: KubeClient,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<{ readonly found: ListedWorkloads; readonly notes: readonly string[] }> {
  if (namespace !== undefined) {
    checkNamespace(namespace);
    if (!isNamespaceAllowed(allowed, namespace))
      throw serverFailure('namespace-not-allowed', { namespace, allowed }, { exit: 'usage' });
  }
  const namespaces = namespace !== undefined ? [namespace] : allowed.length > 0 ? allowed : undefined;
  const list = (from: readonly string[] | undefined) =>
    listWorkloads(client, { clock, signal, namespaces: from, withEvents: true });
  try {
    const found = await list(namespaces);
    return { found, notes: notesOf(found) };
  } catch (error) {
    const isRefused = error instanceof CodedError && isKubeError(error.cause, 'forbidden');
    if (namespaces !== undefined || !isRefused) throw error;
    const found = await list([client.cluster.namespace]);
    return { found, notes: [ONE_NAMESPACE_NOTE, ...notesOf(found)] };
  }
}

function notesOf({ failures, cut }: ListedWorkloads): readonly string[] {
  return [
    ...Array.from(failures, ([kind, error]) => unlistedText(kind, messageOf(error).what)),
    ...cut.map(({ kind, count }) => cutKindText(kind, count)),
  ];
}

interface Wanted {
  readonly query?: string | undefined;
  readonly failing?: boolean | undefined;
  readonly pods?: boolean | undefined;
}

/** A workload or pod, and why it needs attention now; undefined: it does not. */
interface JudgedRow {
  readonly row: Row;
  readonly problem: ProblemKind | undefined;
  readonly state: string;
}

/** Workloads before pods, and in each the worst problems first; else the order stays. */
function worstFirst(rows: readonly JudgedRow[]): readonly JudgedRow[] {
  const rank = ({ row, problem }: JudgedRow) =>
    (row.kind === 'pods' ? PROBLEM_KINDS.length + 1 : 0) +
    (problem === undefined ? PROBLEM_KINDS.length : PROBLEM_KINDS.indexOf(problem));
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

function isWanted({ row, problem, state }: JudgedRow, { query, failing, pods }: Wanted): boolean {
  if (row.ownerId !== undefined && pods !== true) return false;
  if (failing === true && problem === undefined) return false;
  const text = `${sourceOf(row)} ${state}`.toLowerCase();
  const terms = (query ?? '').toLowerCase().split(/\s+/);
  return terms.every((term) => text.includes(term));
}

function sourceOf({ namespace, kind, name }: Row): string {
  return `${namespace}:${kind}/${name}`;
}

interface ShownWorkload {
  readonly fields: z.infer<typeof WORKLOAD>;
  readonly kinds: readonly string[];
}

function workloadOf({ row, problem, state }: JudgedRow, redactor: Redactor | undefined): ShownWorkload {
  const kinds: string[] = [];
  const clean = (text: string) => {
    const { text: shown, kinds: masked } = redactor?.redact(sanitizeText(text), undefined, MAX_DETAIL) ?? {
      text: sanitizeText(text).slice(0, MAX_DETAIL),
      kinds: [],
    };
    kinds.push(...masked);
    return shown;
  };
  const { lastExit, waiting, lastWarning, lastRestartAt, isFailing } = row;
  const limit = lastExit?.memoryLimit === undefined ? '' : ` (limit ${lastExit.memoryLimit})`;
  const fields = {
    source: sourceOf(row),
    state,
    isFailing,
    ...(problem === undefined ? {} : { problem }),
    ...(lastRestartAt === undefined ? {} : { lastRestartAt }),
    ...(lastExit === undefined
      ? {}
      : {
          lastExit: clean(
            `${lastExit.at} ${lastExit.pod}/${lastExit.container} ${lastExit.exitCode} ${lastExit.reason ?? ''}${limit}`,
          ),
        }),
    ...(waiting === undefined
      ? {}
      : {
          waiting: clean(
            `${waiting.container} ${waiting.reason}${waiting.message === undefined ? '' : `: ${waiting.message}`}`,
          ),
        }),
    ...(lastWarning === undefined || lastWarning.isOver
      ? {}
      : {
          lastWarning: clean(
            `${lastWarning.at} ${lastWarning.count}x ${lastWarning.reason}: ${lastWarning.message}`,
          ),
        }),
  };
  return { fields, kinds };
}

interface AnswerFacts {
  readonly offset: number;
  readonly notes: readonly string[];
  readonly maxBytes: number;
}

/** Answers with as many workloads from the offset on as fit. */
function answerFor(all: readonly ShownWorkload[], { offset, notes, maxBytes }: AnswerFacts): Answer {
  const fence = newFence();
  const shownNotes = fitNotes(notes, maxBytes);
  return shrinkToFit(all.length - offset, maxBytes, (count) =>
    answerOf(all.length, { shown: all.slice(offset, offset + count), offset, notes: shownNotes, fence }),
  );
}

function answerOf(
  total: number,
  {
    shown,
    offset,
    notes,
    fence,
  }: {
    readonly shown: readonly ShownWorkload[];
    readonly offset: number;
    readonly notes: readonly string[];
    readonly fence: string;
  },
): Answer {
  const end = offset + shown.length;
  const counts = countKinds(shown.flatMap(({ kinds }) => kinds));
  const redacted = redactedText(counts);
  const summary = foundText({ total, offset, end });
  return {
    text: composeText(
      {
        head: [summary, ...(redacted === undefined ? [] : [redacted])],
        notes,
        data: shown.map(({ fields }) => workloadText(fields)),
      },
      fence,
    ),
    structured: {
      summary,
      workloads: shown.map(({ fields }) => fields),
      total,
      truncated: end < total,
      ...(end < total ? { nextOffset: end } : {}),
      redacted: redactedList(counts),
      notes,
    },
  };
}

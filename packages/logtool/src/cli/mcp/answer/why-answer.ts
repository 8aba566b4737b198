import type { Explanation } from '../../../domain/verdicts/explanation.ts';
import type { Verdict } from '../../../domain/verdicts/verdict.ts';
import { doubtText } from '../../../messages/doubts.ts';
import { headText, healthyText, otherText, unexplainedText } from '../../../messages/explanation.ts';
import { verdictText } from '../../../messages/verdicts.ts';
import { explainedText, leftOutText } from '../messages/why.ts';
import { Cleaner } from './cleaner.ts';
import { clipBytes } from './clip.ts';
import {
  type Answer,
  composeText,
  countKinds,
  fitNotes,
  fits,
  newFence,
  redactedList,
  redactedText,
} from './compose.ts';
import { type CauseDetail, causeOf, timeText } from './why-cause.ts';

export interface WhyAnswerOptions {
  /** The sources that the call names. */
  readonly name: string;
  readonly notes: readonly string[];
  readonly redacts: boolean;
  readonly maxBytes: number;
}

/** How much of an explanation an answer contains: the maximum number of each part, and bytes of each text. */
interface Detail extends CauseDetail {
  readonly causes: number;
  /** Further causes, each with its text only. */
  readonly briefs: number;
  readonly others: number;
  readonly textBytes: number;
}

const ALL: CauseDetail = { lines: 20, events: 10, doubts: 20, pods: 10 };
const BARE: CauseDetail = { lines: 0, events: 0, doubts: 1, pods: 3 };
/**
 * From everything useful down to the bare causes; the answer is the first that fits. A cause loses its proof before
 * another one loses its text.
 */
const DETAILS: readonly Detail[] = [
  { ...ALL, causes: 20, briefs: 40, others: 20, textBytes: 2_000 },
  { ...ALL, causes: 20, briefs: 40, events: 5, others: 10, textBytes: 500 },
  { ...ALL, causes: 20, briefs: 40, lines: 8, events: 3, others: 5, textBytes: 300 },
  { ...ALL, causes: 10, briefs: 40, lines: 8, events: 3, others: 5, textBytes: 300 },
  { ...ALL, causes: 5, briefs: 40, lines: 3, events: 1, others: 3, textBytes: 200 },
  { ...BARE, causes: 3, briefs: 40, others: 1, textBytes: 150 },
  { ...BARE, causes: 1, briefs: 40, others: 0, textBytes: 100 },
  { ...BARE, causes: 1, briefs: 10, doubts: 0, pods: 1, others: 0, textBytes: 80 },
  { ...BARE, causes: 0, briefs: 10, others: 0, textBytes: 80 },
  // Fewer causes that can be understood say more than stubs of many, and the others are named.
  { ...BARE, causes: 0, briefs: 5, others: 0, textBytes: 160 },
  { ...BARE, causes: 0, briefs: 3, others: 0, textBytes: 160 },
  { ...BARE, causes: 0, briefs: 2, others: 0, textBytes: 160 },
  { ...BARE, causes: 0, briefs: 1, others: 0, textBytes: 160 },
  { ...BARE, causes: 0, briefs: 1, others: 0, textBytes: 60 },
  { ...BARE, causes: 0, briefs: 0, others: 0, textBytes: 60 },
];

/**
 * Answers with the causes first, and as much of their proof as fits. Fences everything that the cluster or a
 * program wrote.
 */
export function whyAnswer(explanation: Explanation, options: WhyAnswerOptions): Answer {
  const fence = newFence();
  const answers = DETAILS.map((detail) => () => answerOf(explanation, options, detail, fence));
  for (const make of answers) {
    const answer = make();
    if (fits(answer, options.maxBytes)) return answer;
  }
  const least = answerOf(explanation, { ...options, notes: [] }, DETAILS.at(-1)!, fence);
  return { ...least, text: clipBytes(least.text, options.maxBytes) };
}

function answerOf(
  explanation: Explanation,
  options: WhyAnswerOptions,
  detail: Detail,
  fence: string,
): Answer {
  const { name, notes: given, redacts, maxBytes } = options;
  const cleaner = new Cleaner(redacts, detail.textBytes);
  const { outcome, unexplained, also, doubts } = explanation;
  const verdicts = inOrder(explanation, detail);
  const causes = causesOf(explanation, verdicts, detail, cleaner);
  const rest = {
    unexplained: unexplained.slice(0, detail.others).map((pod) => cleaner.clean(unexplainedText(pod))),
    also: also.slice(0, detail.others).map((other) => cleaner.clean(otherText(other, timeText))),
  };
  const notes = fitNotes([...given, ...doubts.map(doubtText)], maxBytes);
  const state = cleaner.clean(headText(explanation, name, timeText));
  const sections = causesByWorkload(explanation, verdicts, causes, { cleaner, name });
  const sum = (of: 'lines' | 'events' | 'doubts') =>
    causes.full.reduce((total, { left }) => total + left[of], 0);
  const leftOut = leftOutText({
    causes: leftCauses(explanation, verdicts.slice(causes.full.length + causes.briefs.length)),
    proofs: causes.briefs.length,
    lines: sum('lines'),
    events: sum('events'),
    doubts: sum('doubts'),
    pods: unexplained.length - rest.unexplained.length,
    others: also.length - rest.also.length,
    hasCut: cleaner.hasCut,
  });
  const counts = countKinds(cleaner.kinds);
  const redacted = redactedText(counts);
  const summary = explainedText({
    ...explanation,
    codes: explanation.verdicts.map(({ code }) => code),
    leftOut,
  });
  return {
    text: composeText(
      {
        head: [summary, ...(redacted === undefined ? [] : [redacted])],
        notes,
        data: [state, ...sections, ...rest.unexplained, ...rest.also.map((text) => `also: ${text}`)],
      },
      fence,
    ),
    structured: {
      summary,
      outcome,
      state,
      causes: causes.full.map(({ fields }) => fields),
      ...(causes.briefs.length === 0 ? {} : { otherCauses: causes.briefs.map(({ fields }) => fields) }),
      causeCount: verdicts.length,
      ...rest,
      truncated: leftOut !== undefined,
      redacted: redactedList(counts),
      notes,
    },
  };
}

function leftCauses(explanation: Explanation, verdicts: readonly Verdict[]) {
  return verdicts.map((verdict) => ({ code: verdict.code, workload: workloadOf(explanation, verdict) }));
}

/** Returns the causes in order; if not all fit, the first of each workload before the second of any. */
function inOrder({ verdicts, workloads }: Explanation, { causes, briefs }: Detail): readonly Verdict[] {
  if (causes + briefs >= verdicts.length) return verdicts;
  const rankOf = (verdict: Verdict) =>
    Math.max(0, ...workloads.map((workload) => workload.verdicts.indexOf(verdict)));
  return [...verdicts].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Formats the first causes in full, further ones only as their texts. */
function causesOf(explanation: Explanation, verdicts: readonly Verdict[], detail: Detail, cleaner: Cleaner) {
  const ofWorkload = (verdict: Verdict) => {
    const workload = workloadOf(explanation, verdict);
    return workload === undefined ? {} : { workload };
  };
  const full = verdicts.slice(0, detail.causes).map((verdict) => {
    const { fields, text, left } = causeOf(verdict, detail, cleaner);
    return { fields: { ...fields, ...ofWorkload(verdict) }, text, left };
  });
  const briefs = verdicts.slice(detail.causes, detail.causes + detail.briefs).map((verdict) => {
    const text = cleaner.clean(verdictText(verdict));
    return { fields: { code: verdict.code, text, ...ofWorkload(verdict) }, text: [`cause: ${text}`] };
  });
  return { full, briefs };
}

/** For several workloads: the state of each, then its causes; the other workloads at the end. */
function causesByWorkload(
  explanation: Explanation,
  verdicts: readonly Verdict[],
  { full, briefs }: ReturnType<typeof causesOf>,
  { cleaner, name }: { readonly cleaner: Cleaner; readonly name: string },
): readonly string[] {
  const { workloads, healthy } = explanation;
  const causes = [...full, ...briefs];
  if (workloads.length === 0) return causes.flatMap(({ text }) => text);
  const sections = workloads.flatMap((section) => {
    const own = causes.filter((_, index) => section.verdicts.includes(verdicts[index]!));
    return own.length === 0 && section.verdicts.length > 0
      ? []
      : [cleaner.clean(headText(section, name, timeText)), ...own.flatMap(({ text }) => text)];
  });
  return healthy.count === 0 ? sections : [...sections, cleaner.clean(healthyText(explanation, timeText))];
}

function workloadOf({ workloads }: Explanation, verdict: Verdict): string | undefined {
  const subject = workloads.find(({ verdicts }) => verdicts.includes(verdict))?.subject;
  return subject === undefined ? undefined : `${subject.kind} ${subject.namespace}/${subject.name}`;
}

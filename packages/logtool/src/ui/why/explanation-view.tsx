import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { useMemo } from 'react';
import type { WhyAnswer } from '../../contract/why.ts';
import type { Explanation, OtherFacts } from '../../domain/verdicts/explanation.ts';
import { doubtText } from '../../messages/doubts.ts';
import { headText, healthyText, NO_VERDICT, otherText, unexplainedText } from '../../messages/explanation.ts';
import { ErrorText } from '../app/chrome/error-text.tsx';
import { makeZoneClock, wallTime, type ZoneClock } from '../console/state/zone-time.ts';
import { logMessageOf } from '../messages/log-message-of.ts';
import { noticeText } from '../messages/notices.ts';
import { sentence } from '../messages/sentence.ts';
import { moreText, WHY_TEXTS } from '../messages/why.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { VerdictView } from './verdict-view.tsx';
import { factHref, logHref, type WhyPage, type WhyQuestion, type WhyView } from './why-question.ts';

interface ExplanationViewProps {
  readonly answer: WhyAnswer;
  readonly question: WhyQuestion;
  readonly page: WhyPage;
  readonly onGo: () => void;
}

/** One explanation, in the order of the terminal: the state, its causes, open questions, and other facts. */
export function ExplanationView({ answer, question, page, onGo }: ExplanationViewProps) {
  const { explanation, verdicts } = useMemo(() => readAnswer(answer), [answer]);
  const clock = useMemo(() => makeZoneClock(question.shown?.tz ?? 'local'), [question.shown?.tz]);
  const nowMs = useMemo(() => Date.now(), []);
  const view: WhyView = { question, page, onGo, clock, time: (at) => factTime(clock, at, nowMs) };
  const { outcome, unexplained, also, doubts, since, from, workloads, healthy } = explanation;
  const isBare = outcome === 'unexplained' && verdicts.length + unexplained.length === 0;
  const failures = outcome === 'unread' ? answer.failures : [];
  return (
    <>
      <p className="why-head" data-outcome={outcome}>
        {headText(explanation, question.name, view.time)}
      </p>
      {failures.map((error) => (
        <ErrorText key={JSON.stringify(error)} error={error} message={logMessageOf(error)} />
      ))}
      {workloads.length === 0 ? (
        <Verdicts verdicts={verdicts} view={view} />
      ) : (
        workloads.map((section) => (
          <Workload
            key={`${section.subject?.kind} ${section.subject?.namespace}/${section.subject?.name}`}
            section={section}
            verdicts={verdicts.filter(({ verdict }) => section.verdicts.includes(verdict))}
            view={view}
          />
        ))
      )}
      {workloads.length > 0 && healthy.count > 0 ? (
        <p className="dim">{sentence(healthyText(explanation, view.time))}</p>
      ) : null}
      <Doubts
        texts={[
          ...(workloads.length === 0 ? unexplained.map(unexplainedText) : []),
          ...more(answer.workloadCount - workloads.length),
          ...more(answer.unexplainedCount - unexplained.length),
          ...more(answer.verdictCount - verdicts.length),
          ...(isBare ? [NO_VERDICT] : []),
          ...doubts.map(doubtText),
          ...answer.notices.map(noticeText),
        ]}
      />
      <Also others={also} view={view} />
      <page.Link className="text-button" to={logHref(view, since ?? from)} onClick={onGo}>
        {since === undefined ? WHY_TEXTS.openRange : WHY_TEXTS.openLog}
      </page.Link>
    </>
  );
}

interface VerdictsProps {
  readonly verdicts: ReadAnswer['verdicts'];
  readonly view: WhyView;
}

function Verdicts({ verdicts, view }: VerdictsProps) {
  return verdicts.map((read) => (
    <VerdictView key={`${read.verdict.code} ${JSON.stringify(read.verdict.data)}`} read={read} view={view} />
  ));
}

interface WorkloadProps extends VerdictsProps {
  readonly section: Explanation;
}

/** One troubled workload, if the question covers several. */
function Workload({ section, verdicts, view }: WorkloadProps) {
  return (
    <section className="why-workload" data-workload={section.subject?.name}>
      <h3>{headText(section, view.question.name, view.time)}</h3>
      <Verdicts verdicts={verdicts} view={view} />
      <Doubts texts={section.unexplained.map(unexplainedText)} />
    </section>
  );
}

function more(count: number): readonly string[] {
  return count > 0 ? [moreText(count)] : [];
}

function Doubts({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul className="why-doubts">
      {[...new Set(texts)].map((text) => (
        <li key={text}>{sentence(text)}</li>
      ))}
    </ul>
  );
}

interface AlsoProps {
  readonly others: readonly OtherFacts[];
  readonly view: WhyView;
}

/** Facts that no verdict uses. */
function Also({ others, view }: AlsoProps) {
  const {
    page: { Link },
    onGo,
    time,
  } = view;
  if (others.length === 0) return null;
  return (
    <section>
      <h3>{WHY_TEXTS.also}</h3>
      <ul className="why-facts">
        {others.map((other) => (
          <li key={other.fact.id}>
            <Link to={factHref(view, other.fact)} onClick={onGo}>
              {otherText(other, time)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Formats a time to the second, with its date unless that is today. */
function factTime(clock: ZoneClock, at: Timestamp, nowMs: number): string {
  const { date, time } = wallTime(clock, at);
  const today = wallTime(clock, { seconds: Math.floor(nowMs / 1_000), nanos: 0 }).date;
  const seconds = time.slice(0, 8);
  return date === today ? seconds : `${date} ${seconds}`;
}

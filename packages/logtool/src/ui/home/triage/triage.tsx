import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { PageLink } from '../../app/chrome/page-link.tsx';
import { useNow } from '../../app/chrome/use-now.ts';
import { localTimeText } from '../../messages/local-time.ts';
import { consoleHref } from '../../shell/links.ts';
import { WhyButton } from '../../why/why-button.tsx';
import type { WorkloadList } from '../feed/workload-store.ts';
import { filterWorkloads } from '../list/filter.ts';
import { OPEN_LIMIT } from '../list/selection.ts';
import { sourceArgument } from '../list/source-argument.ts';
import type { HomeUrl } from '../url/home-url.ts';
import { describeProblem } from './describe-problem.ts';
import { findProblems, firstOf, isDown, openTogether, type Problem, sourcesOf } from './problems.ts';
import { rememberRoom } from './triage-room.tsx';
import './triage.css';

/** Rows shown at first; more would push the list away. */
const SHOWN = 5;
/** Ages update each second; recency is checked less often. */
const TICK_MS = 10_000;
/** The log opens this long before the first sign, to show what led to it. */
const BEFORE_MS = 5 * 60_000;

interface TriageProps {
  readonly context: string;
  readonly url: HomeUrl;
  readonly list: WorkloadList;
  /** The user points at the list below: it must not move. */
  readonly isHeld: boolean;
}

/** The workloads that need attention, above the full list, each with what happened and when. */
export function Triage({ context, url, list, isHeld }: TriageProps) {
  const nowMs = useNow();
  const [isPointed, setPointed] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const found = useProblems(list, url, nowMs);
  const view = JSON.stringify([context, url.ns, url.kind, url.q]);
  const problems = useHeld(found, view, isHeld || isPointed);
  const isWhole = url.ns.length === 0 && url.kind === undefined && url.q === '';
  const rows = Math.min(found.length, SHOWN);
  useEffect(() => {
    if (isWhole) rememberRoom(context, rows);
  }, [context, isWhole, rows]);
  if (problems.length === 0) return null;
  const shown = isOpen ? problems.slice(0, OPEN_LIMIT) : problems.slice(0, SHOWN);
  const rest = problems.length - shown.length;
  return (
    <Frame
      title={`Needs a look (${problems.length.toLocaleString('en')})`}
      note={lacksEvents(list, url) ? 'The list may lack warning events' : undefined}
      action={<OpenAll context={context} problems={problems} nowMs={nowMs} />}
      onPointed={setPointed}
    >
      <ul>
        {shown.map((problem) => (
          <Row key={problem.workload.id} context={context} problem={problem} nowMs={nowMs} />
        ))}
      </ul>
      {rest === 0 ? null : isOpen ? (
        <p className="triage-rest dim">{rest.toLocaleString('en')} more</p>
      ) : (
        <button type="button" className="text-button triage-rest" onClick={() => setOpen(true)}>
          {rest.toLocaleString('en')} more
        </button>
      )}
    </Frame>
  );
}

interface FrameProps {
  readonly title: string;
  readonly note: string | undefined;
  readonly action: ReactNode;
  readonly onPointed: (isPointed: boolean) => void;
  readonly children: ReactNode;
}

function Frame({ title, note, action, onPointed, children }: FrameProps) {
  const id = useId();
  return (
    <section
      className="triage"
      aria-labelledby={id}
      onPointerEnter={() => onPointed(true)}
      onPointerLeave={() => onPointed(false)}
    >
      <div className="triage-head">
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <span className="dim">{note}</span>}
        {action}
      </div>
      {children}
    </section>
  );
}

interface RowProps {
  readonly context: string;
  readonly problem: HeldProblem;
  readonly nowMs: number;
}

/** One workload; its link opens its logs at the start of its problem. */
function Row({ context, problem, nowMs }: RowProps) {
  const { workload, kind, firstMs, isOver } = problem;
  const { what, why } = describeProblem(problem, nowMs);
  const source = sourceArgument(workload);
  const { podsReady, podsTotal } = workload;
  return (
    <li className="triage-row" data-problem={kind} data-source={source}>
      <PageLink
        className="row-link"
        to={consoleHref(context, sourcesOf(problem, nowMs), startBefore(firstMs))}
        title={workload.name}
      >
        {workload.name}
      </PageLink>
      <span className="triage-of dim">
        {workload.namespace} · {workload.kindName}
        {podsReady < podsTotal && podsTotal > 1 ? ` · ${podsReady}/${podsTotal}` : ''}
      </span>
      <span className={`triage-what ${isOver ? 'dim' : isDown(kind) ? 'bad' : 'warn-text'}`} title={what}>
        {isOver ? `no longer: ${what}` : what}
      </span>
      <span className="triage-why dim" title={why}>
        {why}
      </span>
      <WhyButton
        question={{ context, sources: [source], name: workload.name }}
        className="text-button triage-ask"
      />
    </li>
  );
}

interface OpenAllProps {
  readonly context: string;
  readonly problems: readonly Problem[];
  readonly nowMs: number;
}

function OpenAll({ context, problems, nowMs }: OpenAllProps) {
  const { opened, sources } = openTogether(problems, OPEN_LIMIT, nowMs);
  const firstMs = firstOf(opened);
  const which =
    opened.length < problems.length
      ? `Open the first ${opened.length}`
      : opened.length === 1
        ? 'Open it'
        : 'Open these';
  const from = startBefore(firstMs);
  return (
    <PageLink
      className="text-button"
      to={consoleHref(context, sources, from)}
      title={from === undefined ? undefined : `From ${localTimeText(Date.parse(from))}`}
    >
      {which}
      {from === undefined ? '' : ' from 5 min before the first problem'}
    </PageLink>
  );
}

/** Returns an RFC 3339 time. */
function startBefore(firstMs: number | undefined): string | undefined {
  return firstMs === undefined ? undefined : new Date(firstMs - BEFORE_MS).toISOString();
}

/** Returns the problems of the rows that the list shows. */
function useProblems({ workloads }: WorkloadList, { ns, kind, q }: HomeUrl, nowMs: number) {
  const tickMs = Math.floor(nowMs / TICK_MS) * TICK_MS;
  return useMemo(
    () => findProblems(filterWorkloads(workloads.values(), { ns, kind, q }), tickMs),
    [workloads, ns, kind, q, tickMs],
  );
}

interface HeldProblem extends Problem {
  /** The problem ended while the pointer was on it. */
  readonly isOver: boolean;
}

/**
 * Returns the problems; while the pointer is on them or on the list, the previous ones with their newest
 * values.
 */
function useHeld(found: readonly Problem[], view: string, isHeld: boolean): readonly HeldProblem[] {
  const held = useRef({ view, problems: found });
  if (!isHeld || held.current.view !== view) held.current = { view, problems: found };
  const now = new Map(found.map((problem) => [problem.workload.id, problem]));
  return held.current.problems.map((before) => {
    const present = now.get(before.workload.id);
    return { ...(present ?? before), isOver: present === undefined };
  });
}

/** Whether permissions hide some events of these workloads. */
function lacksEvents({ denied }: WorkloadList, { ns }: HomeUrl): boolean {
  return denied.some(
    ({ namespace, error }) =>
      error.denied?.resource.split('.')[0] === 'events' &&
      (namespace === undefined || ns.length === 0 || ns.includes(namespace)),
  );
}

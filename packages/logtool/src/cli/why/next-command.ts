import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { WhyPlan } from '../plan/why/why-plan.ts';

/** Lines and facts this long before the first sign give context. */
const SECONDS_BEFORE = 60;

/** Returns the command that shows lines and facts together, starting shortly before the first sign. */
export function nextCommand(program: string, explanation: Explanation, plan: WhyPlan): string {
  const { subject, since } = explanation;
  const { context } = plan.connection;
  const wider = widerSource(explanation);
  if (wider !== undefined) return whyCommand(program, wider, plan);
  const given = plan.source.sources.join(' ');
  const source =
    subject === undefined ? given : `${subject.namespace}:${subject.kind.toLowerCase()}/${subject.name}`;
  const from = since === undefined ? plan.query.from : { seconds: since.seconds - SECONDS_BEFORE, nanos: 0 };
  return [
    program,
    'logs',
    quoted(source),
    ...(subject === undefined ? scopeOf(plan) : []),
    ...(context === undefined ? [] : ['--kube-context', quoted(context)]),
    `--since ${formatTimestamp({ ...from, nanos: 0 }).replace('.000000000', '')}`,
    '--events all',
  ].join(' ');
}

/** Returns all pods of the namespace, if errors begin and nothing new that was read precedes them. */
function widerSource({ subject, verdicts }: Explanation): string | undefined {
  const isOpen = verdicts.some(({ doubts }) =>
    doubts.some(({ code }) => code === 'nothing-new-before' || code === 'too-little-before'),
  );
  return subject === undefined || !isOpen ? undefined : `${subject.namespace}:pods/*`;
}

function whyCommand(program: string, source: string, plan: WhyPlan): string {
  const { context } = plan.connection;
  const since = formatTimestamp({ ...plan.query.from, nanos: 0 }).replace('.000000000', '');
  return [
    program,
    'why',
    quoted(source),
    ...(context === undefined ? [] : ['--kube-context', quoted(context)]),
    `--since ${since}`,
  ].join(' ');
}

function scopeOf({ source: { namespaces, allNamespaces, selector } }: WhyPlan): readonly string[] {
  return [
    ...(allNamespaces === true ? ['--all-namespaces'] : []),
    ...(namespaces === undefined || namespaces.length === 0 ? [] : ['-n', quoted(namespaces.join(','))]),
    ...(selector === undefined ? [] : ['-l', quoted(selector)]),
  ];
}

/** Quotes for any shell with single quotes. */
function quoted(text: string): string {
  return /^[\w.,:=@/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Explanation } from '../../domain/verdicts/explanation.ts';
import type { WhyPlan } from '../plan/why/why-plan.ts';

/** Lines and facts before the first sign that say more. */
const SECONDS_BEFORE = 60;

/** The command that shows lines and facts together from shortly before the first sign on. */
export function nextCommand(program: string, explanation: Explanation, plan: WhyPlan): string {
  const { subject, since } = explanation;
  const { context } = plan.connection;
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

function scopeOf({ source: { namespaces, allNamespaces, selector } }: WhyPlan): readonly string[] {
  return [
    ...(allNamespaces === true ? ['--all-namespaces'] : []),
    ...(namespaces === undefined || namespaces.length === 0 ? [] : ['-n', quoted(namespaces.join(','))]),
    ...(selector === undefined ? [] : ['-l', quoted(selector)]),
  ];
}

/** For any shell that knows single quotes. */
function quoted(text: string): string {
  return /^[\w.,:=@/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

import { findCommand } from '../commands/commands.ts';
import type { CliContext } from '../context.ts';
import { planConnection } from '../plan/plan-connection.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Candidate, Offer } from './candidate.ts';
import { keptAnswers } from './kept-answers.ts';
import { LiveCluster } from './live-cluster.ts';
import { offerCommands, offerFlags } from './offer-commands.ts';
import { offerLabels } from './offer-labels.ts';
import { offerSources } from './offer-sources.ts';
import { type ValueContext, valuesOf } from './offer-values.ts';
import type { Line, Wanted } from './read-line.ts';
import { SHELLS } from './shells.ts';

export interface OfferOptions {
  readonly context: CliContext;
  /** Aborts when the time to ask a cluster is up. */
  readonly signal: AbortSignal;
  /** Where logtool keeps answers of clusters for a few seconds. */
  readonly cacheDirectory: string | undefined;
  /** Receives failures that do not end the search. */
  readonly onFailure: (error: unknown) => void;
}

/** Offers what the word at the cursor can become. Throws if the configuration or the kubeconfig is wrong. */
export async function offerFor(line: Line, options: OfferOptions): Promise<Offer> {
  const { wanted, typed } = line;
  if (wanted.kind === 'value') return offerValue(line, wanted, options);
  const candidates = await candidatesFor(line, options);
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)) };
}

async function candidatesFor(line: Line, options: OfferOptions): Promise<readonly Candidate[]> {
  switch (line.wanted.kind) {
    case 'command':
      return offerCommands(line.wanted.group);
    case 'flag':
      return offerFlags(line);
    case 'operand':
      return operands(line, options);
    case 'nothing':
    case 'value':
      return [];
  }
}

async function operands({ raw, typed }: Line, options: OfferOptions): Promise<readonly Candidate[]> {
  const { command, positionals } = raw;
  if (command === 'help') return offerCommands(positionals.join(' '));
  if (command === 'completion' && positionals.length === 0) return SHELLS.map((value) => ({ value }));
  if (command !== 'logs' && command !== 'events' && command !== 'why') return [];
  const valueContext = valueContextOf(raw, options);
  const namespace = await namespaceOf(raw, valueContext, options);
  const found = await offerSources(typed, namespace, valueContext.live);
  return found.filter(({ value }) => !positionals.includes(value));
}

async function namespaceOf(
  { flags }: Line['raw'],
  { settings }: ValueContext,
  { onFailure }: OfferOptions,
): Promise<string | undefined> {
  const typed = flags.get('namespace')?.at(-1)?.value?.split(',')[0];
  if (typed !== undefined) return typed;
  try {
    const given = await settings();
    return given.value('all-namespaces') ? '*' : [given.value('namespace') ?? []].flat()[0];
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

async function offerValue(
  { raw, typed }: Line,
  { flag, fixed }: Extract<Wanted, { kind: 'value' }>,
  options: OfferOptions,
): Promise<Offer> {
  if (flag.suggests === 'files') return { candidates: [], files: true };
  if (flag.suggests === 'labels') {
    const valueContext = valueContextOf(raw, options);
    const namespace = await namespaceOf(raw, valueContext, options);
    const found = await offerLabels(typed.slice(fixed.length), namespace, valueContext.live);
    return { candidates: startingWith(typed, fixed, found) };
  }
  const isList = flag.value.kind === 'list' || flag.value.kind === 'columns';
  const value = typed.slice(fixed.length);
  // `timestamp,` of `timestamp,do`: does not offer values that are already in the list.
  const listed = isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const taken = new Set(listed.split(','));
  const known = await valuesOf(flag, valueContextOf(raw, options));
  const others = known.filter((candidate) => !isList || !taken.has(candidate.value));
  return { candidates: startingWith(typed, fixed + listed, others), isOpen: isList };
}

function startingWith(typed: string, fixed: string, all: readonly Candidate[]): readonly Candidate[] {
  return all
    .map((candidate) => ({ ...candidate, value: fixed + candidate.value }))
    .filter(({ value }) => value.startsWith(typed));
}

function valueContextOf(raw: Line['raw'], options: OfferOptions): ValueContext {
  const { context } = options;
  const settings = () => loadSettings(context, findCommand(raw.command)?.name ?? '', raw);
  const plan = async () => planConnection(await settings(), context);
  const kept = keptAnswers(options.cacheDirectory, () => context.clock.now());
  return {
    context,
    settings,
    plan,
    live: async () => LiveCluster.open({ ...options, plan: await plan(), kept }),
  };
}

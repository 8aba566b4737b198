import type { Fact, FactKind, FactOf, FactSubject, ImageChange, Severity } from '../../domain/facts/fact.ts';
import { factLabel, factText, lengthText, ordinal, rolloutEndText } from '../../messages/facts.ts';
import { knownText } from '../../messages/unknown-code.ts';

/** The texts of a row: its subject, the label of the event, and the rest. */
export interface FactTexts {
  readonly subject: string;
  readonly label: string;
  readonly text: string;
}

/**
 * Returns the texts of a fact's row. `restart`: the start of the next run, which the row of the preceding
 * exit includes.
 */
export function factTexts(fact: Fact, restart: Fact | undefined): FactTexts {
  const subject = subjectText(fact.subject);
  if (fact.kind === 'exited') return { subject, ...exitTexts(fact, restart) };
  if (fact.kind === 'rollout') return { subject, label: 'Rollout', text: rolloutText(fact) };
  const label = fact.reason || (ROW_LABELS[fact.kind] ?? factLabel(fact));
  return { subject, label, text: withoutLabel(factText(fact), label) };
}

/** Labels for kinds whose text repeats the usual label in other words. */
const ROW_LABELS: Readonly<Partial<Record<FactKind, string>>> = {
  deleted: 'Deletion requested',
  'node-taint': 'Tainted',
  'not-ready': 'Not ready',
};

/** The row shows the label before the text: drops the label's words from the start of the text. */
function withoutLabel(text: string, label: string): string {
  if (text.slice(0, label.length).toLowerCase() !== label.toLowerCase()) return text;
  const rest = text.slice(label.length);
  if (/^[\p{L}\p{N}_-]/u.test(rest)) return text;
  return rest.replace(/^, /, '· ').replace(/^:/, '').trimStart();
}

/** Returns the row as one text: `web-7/app exited 137 OOMKilled (limit 256Mi) after 41 s`. */
export function factRowText(fact: Fact, restart: Fact | undefined): string {
  const { subject, label, text } = factTexts(fact, restart);
  return [subject, label, text].filter(Boolean).join(' ');
}

/**
 * Returns `image v41 -> v42`, with full names if the repository changed; if there are several containers, one
 * change each.
 */
export function imageChangeText(images: readonly ImageChange[]): string {
  const changes = images.map(({ container, from, to }) => {
    const name = images.length === 1 ? 'image' : `image of ${container}`;
    if (from === undefined) return `${name} ${to}`;
    if (to === undefined) return `${name} ${from} removed`;
    const [before, after] = [taggedOf(from), taggedOf(to)];
    const isSame = before !== undefined && after !== undefined && before.repository === after.repository;
    return isSame ? `${name} ${before.tag} -> ${after.tag}` : `${name} ${from} -> ${to}`;
  });
  return changes.join(', ');
}

/**
 * Splits an image at its tag or digest. A port is part of the name: https://github.com/distribution/reference
 */
function taggedOf(image: string): { readonly repository: string; readonly tag: string } | undefined {
  const found = /^(.+?)(?:@(.+)|:([^/:]+))$/.exec(image);
  const tag = found?.[2] ?? found?.[3];
  return found?.[1] === undefined || tag === undefined ? undefined : { repository: found[1], tag };
}

function exitTexts(exit: FactOf<'exited'>, restart: Fact | undefined): Omit<FactTexts, 'subject'> {
  const { exitCode, signal, memoryLimit, lastedMs, isInit } = exit.data;
  const label = [isInit ? 'init container' : '', `exited ${exitCode}`, exit.reason].filter(Boolean).join(' ');
  // A memory limit explains the exit only if the container was killed.
  const limit = memoryLimit === undefined || exitCode !== 137 ? '' : `(limit ${memoryLimit})`;
  const ended = [
    signal === undefined ? '' : `signal ${signal}`,
    limit,
    lastedMs === undefined ? '' : `after ${lengthText(lastedMs)}`,
  ];
  const text = ended.filter(Boolean).join(' ');
  return { label, text: restart === undefined ? text : `${text} · ${restartText(restart)}`.trim() };
}

function restartText(restart: Fact): string {
  if (restart.kind !== 'restarted') return 'started again';
  const { afterMs, restarts } = restart.data;
  const later = afterMs === undefined ? '' : ` ${lengthText(afterMs)} later`;
  return `restarted${later}, ${ordinal(restarts)} time`;
}

function rolloutText({ data, bound }: FactOf<'rollout'>): string {
  const images = imageChangeText(data.images);
  const text = `revision ${data.revision}${images === '' ? '' : `, ${images}`}${rolloutEndText(data)}`;
  return bound === undefined ? text : `${text} (then or later)`;
}

function subjectText({ kind, name, container }: FactSubject): string {
  const whole = kind === 'Pod' ? name : `${kind.toLowerCase()}/${name}`;
  return container === undefined ? whole : `${whole}/${container}`;
}

const SEVERITY_NAMES: { readonly [S in Severity]: string } = {
  normal: 'Event',
  warning: 'Warning event',
  fatal: 'Fatal event',
};

/** Names the severity of a fact; one that only a newer server knows by its code. */
export function severityText(severity: Severity): string {
  return knownText(SEVERITY_NAMES, severity);
}

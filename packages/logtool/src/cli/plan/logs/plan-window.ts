import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Selection, Window } from '../../../domain/window.ts';
import { usageFailure } from '../../messages/errors.ts';
import type { Settings } from '../../settings/settings.ts';
import { readBounds } from './bounds.ts';

export interface WindowPlan {
  readonly window: Window;
  /** Neither a flag nor a setting gave the count. */
  readonly countIsDefault: boolean;
}

/**
 * Plans which records to read. Checks every rule about --head, --tail, --all, --follow and the time points.
 */
export function planWindow(settings: Settings<'logs'>, clock: Clock): WindowPlan {
  const asked = askedSelection(settings);
  const { from, to, sinceSeconds } = readBounds(settings, timestampFromMs(clock.now()));
  const follow = settings.value('follow');
  const previous = settings.value('previous');
  if (follow) checkFollow(settings, asked, previous);
  const selection = asked ?? impliedSelection(settings, { from: from !== undefined, follow });
  const countIsDefault =
    asked === undefined && selection.kind !== 'all' && settings.fallback(selection.kind) === undefined;
  return { window: { selection, from, to, sinceSeconds, follow, previous }, countIsDefault };
}

/** Returns the selection of --head, --tail, --first or --all; undefined if none of them is given. */
function askedSelection(settings: Settings<'logs'>): Selection | undefined {
  const [all, first] = [settings.given('all'), settings.given('first')];
  const asked = [
    settings.given('head'),
    settings.given('tail'),
    first !== undefined && settings.value('first') ? first : undefined,
    all !== undefined && settings.value('all') ? all : undefined,
  ].filter((use) => use !== undefined);
  if (asked.length > 1) {
    throw usageFailure('exclusive-selection', { written: asked.map((use) => use.written) });
  }
  if (settings.given('head') !== undefined) return { kind: 'head', count: settings.value('head') };
  if (settings.given('tail') !== undefined) return { kind: 'tail', count: settings.value('tail') };
  if (asked.length === 0) return undefined;
  return asked[0] === first ? { kind: 'head', count: 1, wholeContext: true } : { kind: 'all' };
}

/**
 * Without a request, returns the last few records; with a start time, the first few from there, or all if
 * they are followed.
 */
function impliedSelection(settings: Settings<'logs'>, window: { from: boolean; follow: boolean }): Selection {
  if (window.from && window.follow) return { kind: 'all' };
  const kind = window.from ? 'head' : 'tail';
  return { kind, count: settings.value(kind) };
}

function checkFollow(
  settings: Settings<'logs'>,
  asked: Selection | undefined,
  previous: 'auto' | 'no' | 'only',
): void {
  const follow = settings.given('follow')?.written ?? '--follow';
  const end = settings.given('until') ?? settings.given('before');
  if (end !== undefined) {
    throw usageFailure('follow-with-end', { follow, end: end.written });
  }
  const head = settings.given('head') ?? settings.given('first');
  if (asked?.kind === 'head' && head !== undefined) {
    throw usageFailure('follow-with-head', { follow, head: head.written });
  }
  if (previous === 'only') {
    const written = settings.first('previous')?.written ?? '--previous';
    throw usageFailure('follow-with-previous', { follow, previous: written });
  }
}

import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { usageError } from '@logtool/kube/src/values/errors.ts';
import { timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import type { Selection, Window } from '../../domain/window.ts';
import { readBounds } from './bounds.ts';
import type { Setting, Settings } from './settings.ts';
import { readBoolean, readChoice, readCount } from './values.ts';

export const DEFAULT_COUNT = 10;

export interface WindowPlan {
  readonly window: Window;
  /** The count was nobody's wish: neither a flag nor a setting named one. */
  readonly countIsDefault: boolean;
}

/** Which records are wanted. Every rule about --head, --tail, --all, --follow and the time points is checked here. */
export function planWindow(settings: Settings, clock: Clock): WindowPlan {
  const asked = askedSelection(settings);
  const { from, to, sinceSeconds } = readBounds(settings, timestampFromMs(clock.now()));
  const follow = readBoolean(settings, 'follow');
  const previous = readPrevious(settings);
  if (follow) checkFollow(settings, asked, previous);
  const selection = asked ?? impliedSelection(settings, { from: from !== undefined, follow });
  const countIsDefault =
    asked === undefined && selection.kind !== 'all' && settings.fallback(selection.kind) === undefined;
  return { window: { selection, from, to, sinceSeconds, follow, previous }, countIsDefault };
}

/** What one of --head, --tail and --all says; undefined when none of them is given. */
function askedSelection(settings: Settings): Selection | undefined {
  const all = settings.given('all');
  const asked = [
    settings.given('head'),
    settings.given('tail'),
    all !== undefined && readBoolean(settings, 'all') ? all : undefined,
  ].filter((use) => use !== undefined);
  if (asked.length > 1) {
    throw usageError({
      code: 'exclusive-selection',
      what: `${asked.map((use) => use.written).join(' and ')} exclude each other`,
      why: '--head, --tail and --all each say how much of the window is shown',
      next: 'keep one of them',
    });
  }
  if (settings.given('head') !== undefined) return { kind: 'head', count: countOf(settings, 'head') };
  if (settings.given('tail') !== undefined) return { kind: 'tail', count: countOf(settings, 'tail') };
  return asked.length > 0 ? { kind: 'all' } : undefined;
}

function countOf(settings: Settings, name: 'head' | 'tail'): number {
  const given = settings.given(name);
  if (given?.value !== undefined) return readCount(given);
  const fallback: Setting | undefined = settings.fallback(name);
  return fallback === undefined ? DEFAULT_COUNT : readCount(fallback);
}

/** Nothing asked for is the last 10; a beginning is the first 10 from there, or all of it when it is followed. */
function impliedSelection(settings: Settings, window: { from: boolean; follow: boolean }): Selection {
  if (window.from && window.follow) return { kind: 'all' };
  const kind = window.from ? 'head' : 'tail';
  return { kind, count: countOf(settings, kind) };
}

function readPrevious(settings: Settings): 'auto' | 'no' | 'only' {
  const setting = settings.first('previous');
  if (setting === undefined) return 'auto';
  // As kubectl, whose flag is true or false.
  const value = setting.value?.toLowerCase();
  if (value === undefined || value === 'true') return 'only';
  return value === 'false' ? 'no' : readChoice(setting, ['auto', 'no', 'only']);
}

function checkFollow(
  settings: Settings,
  asked: Selection | undefined,
  previous: 'auto' | 'no' | 'only',
): void {
  const follow = settings.given('follow')?.written ?? '--follow';
  const end = settings.given('until') ?? settings.given('before');
  if (end !== undefined) {
    throw usageError({
      code: 'follow-with-end',
      what: `${follow} and ${end.written} exclude each other`,
      why: `${follow} streams new records, and ${end.written} ends the window`,
      next: 'leave one of them out',
    });
  }
  const head = settings.given('head');
  if (asked?.kind === 'head' && head !== undefined) {
    throw usageError({
      code: 'follow-with-head',
      what: `${follow} and ${head.written} exclude each other`,
      why: `${follow} continues after the last record, and ${head.written} stops after the first ones`,
      next: 'use --tail=N or --all with --follow',
    });
  }
  if (previous === 'only') {
    const written = settings.first('previous')?.written ?? '--previous';
    throw usageError({
      code: 'follow-with-previous',
      what: `${follow} and ${written} exclude each other`,
      why: 'a run that ended gets no new records',
      next: 'leave one of them out; --follow shows the run before a restart by itself',
    });
  }
}

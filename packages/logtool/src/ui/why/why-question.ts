import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type Fact, isNotable, positionOf } from '../../domain/facts/fact.ts';
import type { TimeText } from '../../messages/explanation.ts';
import type { PageLink } from '../app/chrome/page-link.tsx';
import type { ZoneClock } from '../console/state/zone-time.ts';
import type { ConsoleUrl } from '../console/url/console-url.ts';
import type { AppServices } from '../shell/app-context.ts';
import type { consoleHref } from '../shell/links.ts';
import { factLinkOf, formatLink, type LineName } from '../worker/store/link.ts';

/** What the explanation is about, and how its log is displayed. */
export interface WhyQuestion {
  readonly context: string;
  readonly sources: readonly string[];
  /** Name of the subject, for people. */
  readonly name: string;
  /** How the log is displayed: columns, time zone. No filters: they could hide lines of the proof. */
  readonly shown?: Pick<ConsoleUrl, 'cols' | 'tz' | 'wrap' | 'flat'>;
}

/**
 * What the dialog needs from the page, passed in: a shared import would split the first load into another
 * script.
 */
export interface WhyPage {
  readonly app: AppServices;
  readonly Link: typeof PageLink;
  readonly hrefOf: typeof consoleHref;
}

/** What every part of an explanation receives. */
export interface WhyView {
  readonly question: WhyQuestion;
  readonly page: WhyPage;
  /** The user followed a link. */
  readonly onGo: () => void;
  readonly clock: ZoneClock;
  /** Formats the time of a fact. */
  readonly time: TimeText;
}

/** The log opens this long before a time, to show what led to it. */
const SECONDS_BEFORE = 60;

/** Returns the path and query of the log from shortly before a time; with a line, at its row. */
export function logHref(view: WhyView, at: Timestamp, line?: LineName): string {
  return hrefFrom(view, at, line === undefined ? {} : { line: formatLink(line) });
}

/** Returns the path and query of the log at the row of a fact, which a view shows even if it hides its like. */
export function factHref(view: WhyView, fact: Fact): string {
  const row = { line: factLinkOf(fact), ...(isNotable(fact) ? {} : { events: 'all' as const }) };
  return hrefFrom(view, positionOf(fact), row);
}

function hrefFrom(
  { question, page }: WhyView,
  at: Timestamp,
  row: Pick<ConsoleUrl, 'line' | 'events'>,
): string {
  const from = formatTimestamp({ seconds: at.seconds - SECONDS_BEFORE, nanos: 0 });
  return page.hrefOf(question.context, question.sources, from, { ...question.shown, follow: false, ...row });
}

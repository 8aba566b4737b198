import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { TimeText } from '../../messages/explanation.ts';
import type { AppServices } from '../app/app-context.ts';
import type { PageLink } from '../app/chrome/page-link.tsx';
import type { consoleHref } from '../app/links.ts';
import type { ZoneClock } from '../console/session/zone-time.ts';
import type { ConsoleUrl } from '../console/url/console-url.ts';
import { formatLink, type LineName } from '../worker/store/link.ts';

/** What is asked about, and how its log is shown. */
export interface WhyQuestion {
  readonly context: string;
  readonly sources: readonly string[];
  /** What a person calls it. */
  readonly name: string;
  /** How the log looks: columns, time zone. Filters would hide lines that the proof needs. */
  readonly shown?: Pick<ConsoleUrl, 'cols' | 'tz' | 'wrap' | 'flat'>;
}

/** What the dialog needs of the page, given to it: a further script that imports these would split the first load. */
export interface WhyPage {
  readonly app: AppServices;
  readonly Link: typeof PageLink;
  readonly hrefOf: typeof consoleHref;
}

/** What every part of an explanation is given. */
export interface WhyView {
  readonly question: WhyQuestion;
  readonly page: WhyPage;
  /** A link was followed. */
  readonly onGo: () => void;
  readonly clock: ZoneClock;
  /** Writes a time of a fact. */
  readonly time: TimeText;
}

/** The log from a minute before a time on, which says more than its own moment. */
const SECONDS_BEFORE = 60;

/** Path and query of the log from shortly before a time on; with a line at that row. */
export function logHref({ question, page }: WhyView, at: Timestamp, line?: LineName): string {
  const from = formatTimestamp({ seconds: at.seconds - SECONDS_BEFORE, nanos: 0 });
  const row = line === undefined ? {} : { line: formatLink(line) };
  return page.hrefOf(question.context, question.sources, from, { ...question.shown, follow: false, ...row });
}

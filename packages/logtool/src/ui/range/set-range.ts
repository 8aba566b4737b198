import type { ToolProps } from '../console/tools/slots.ts';
import { untilItsEnd } from '../console/url/future-end.ts';
import { followsByItself } from '../console/url/view-plan.ts';
import { serverClock } from '../frame/server-clock.ts';
import type { Range } from './range-text.ts';

/** Shows another range. Only a range without a fixed start and end follows new lines. */
export function setRange({ session, setUrl }: Pick<ToolProps, 'session' | 'setUrl'>, range: Range): void {
  const follows = followsByItself(untilItsEnd(range, serverClock.nowMs()));
  session.followAnew(follows);
  setUrl({ last: range.last, from: range.from, to: range.to, line: undefined, follow: undefined });
}

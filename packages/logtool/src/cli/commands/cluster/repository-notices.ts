import type { OutputStream } from '../../context.ts';
import { createSay } from '../../output/say.ts';

/** A broken index has thousands of them. */
const MOST = 5;

/** Says what was left out of an index. */
export async function sayNotices(stderr: OutputStream, notices: readonly string[]): Promise<void> {
  const say = createSay(stderr);
  for (const notice of notices.slice(0, MOST)) await say.line(notice);
  if (notices.length > MOST) await say.line(`${notices.length - MOST} more are left out`);
}

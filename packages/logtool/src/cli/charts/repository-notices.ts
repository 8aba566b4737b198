import type { SkippedVersion } from '@logtool/helm/src/repository/read-index.ts';
import type { OutputStream } from '../context.ts';
import { skippedText } from '../messages/helm/repositories.ts';
import { createNotifier } from '../output/notices/notifier.ts';

/** A broken index causes thousands of notices. */
const MAX_NOTICES = 5;

/** Reports the omitted entries of an index. */
export async function reportNotices(stderr: OutputStream, notices: readonly SkippedVersion[]): Promise<void> {
  const notifier = createNotifier(stderr);
  for (const notice of notices.slice(0, MAX_NOTICES)) await notifier.line(skippedText(notice));
  if (notices.length > MAX_NOTICES)
    await notifier.line(`logtool leaves out ${notices.length - MAX_NOTICES} more notices`);
}

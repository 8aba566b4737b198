import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { SourceFrame } from '../../domain/frame.ts';
import { targetText } from './source-lines.ts';

/** Containers that are named one by one; of more only the number is said. */
const MOST_NAMED = 5;

/** Nothing could be read, and this is a container that could not. */
export function waitingError(frame: SourceFrame): LogtoolError {
  const { namespace, pod, container } = frame.target;
  return new LogtoolError({
    code: 'container-waiting',
    what: `container ${container} of pod ${namespace}/${pod} has not started`,
    why: frame.detail === '' ? 'it is waiting' : `it is waiting: ${frame.detail}`,
    next: `use --follow to wait for it, or see: kubectl describe pod ${pod} -n ${namespace}`,
  });
}

/** Containers without a log beside others that have one. */
export function waitingLines(frames: readonly SourceFrame[]): readonly string[] {
  const lines = frames.slice(0, MOST_NAMED).map((frame) => {
    const detail = frame.detail === '' ? '' : `: ${frame.detail}`;
    return `~ ${targetText(frame.target)} has not started${detail}`;
  });
  if (frames.length > MOST_NAMED) lines.push(`~ ${frames.length - MOST_NAMED} more have not started`);
  return lines;
}

/** Runs before a restart that could not be read, beside others that could. */
export function removedLines(texts: readonly string[]): readonly string[] {
  const lines = texts.slice(0, MOST_NAMED).map((text) => `~ ${text}`);
  if (texts.length > MOST_NAMED) lines.push(`~ and so of ${texts.length - MOST_NAMED} more`);
  return lines;
}

/** `--previous` where no container was ever restarted. */
export function noPreviousError(): LogtoolError {
  return new LogtoolError({
    code: 'no-previous',
    what: 'there is no earlier run to show',
    why: 'none of the containers was restarted, or the cluster does not keep the run before',
    next: 'leave --previous out for the present run',
  });
}

export function failedError(frame: SourceFrame): LogtoolError {
  return new LogtoolError({
    code: 'source-failed',
    what: `the log of ${targetText(frame.target)} cannot be read`,
    why: frame.detail,
    next: 'run it again; --debug shows the requests made',
  });
}

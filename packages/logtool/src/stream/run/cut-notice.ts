import type { ContainerTarget } from '../../domain/container.ts';
import type { Frame } from '../../domain/frame.ts';
import { MAX_LINE_BYTES } from './line-parser.ts';

/** Says that lines of a container were longer than can be held. */
export function cutNotice({ pod, container }: ContainerTarget, lines: number): Frame {
  const text = `${lines} lines of ${pod}/${container} are longer than ${MAX_LINE_BYTES >> 20} MiB and were cut there`;
  return { type: 'notice', code: 'line-cut', text };
}

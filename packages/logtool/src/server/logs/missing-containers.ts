import type { LogFrame } from '../../contract/log-frame.ts';
import type { ResumePlan } from '../../stream/follow/resume-plan.ts';

/** The containers of a resumed view that no longer exist: the view has lost their last lines. */
export function missingContainers(
  q: number,
  resume: ResumePlan | undefined,
  present: { has(id: string): boolean },
): LogFrame | undefined {
  if (resume === undefined) return undefined;
  const ids = [...resume.points.keys()].filter((id) => !present.has(id));
  if (ids.length === 0) return undefined;
  return { type: 'notice', q, code: 'deleted-meanwhile', data: { ids } };
}

import type {
  ContainerEnd,
  ContainerRef,
  Obstacle,
  ObstacleCode,
  Pending,
  Trouble,
  TroubleProblem,
} from '@logtool/helm/src/apply/obstacle.ts';
import { whyText } from '../../../messages/problems.ts';

/**
 * Formats `Deployment "web" in namespace "shop": 1 of 3 pods are available; the container main of the pod
 * web-7d4f-x2x8z: ImagePullBackOff: ...`
 */
export function pendingText(pending: Pending): string {
  return `${pending.object}: ${obstacleText(pending)}`;
}

/** Formats the reports of controllers and containers in one line. */
export function obstacleText({ obstacle, trouble }: Pick<Pending, 'obstacle' | 'trouble'>): string {
  const reason = ownText(obstacle);
  const shown = trouble === undefined ? '' : troubleText(trouble);
  // A controller's conditions may repeat it.
  const more = shown === '' || reason.includes(shown) ? '' : `; ${shown}`;
  return `${reason}${more}`.trim().replaceAll(/\s*[\r\n]+\s*/g, '; ');
}

function ownText(obstacle: Obstacle): string {
  switch (obstacle.problem) {
    case 'pods-missing':
      return `${obstacle.count} of ${obstacle.wanted} pods are ${obstacle.are}`;
    case 'still-exists':
      return obstacle.finalizers.length === 0
        ? 'it still exists'
        : `it still exists, held by ${obstacle.finalizers.join(', ')}`;
    case 'reported':
      return whyText(obstacle.message);
    default:
      return OBSTACLES[obstacle.problem];
  }
}

const OBSTACLES: Readonly<Record<ObstacleCode, string>> = {
  absent: 'it does not exist',
  'being-deleted': 'it is being deleted',
  'change-not-seen': 'its controller has not seen the change yet',
  'not-seen': 'its controller has not seen it yet',
  'not-started': 'it has not started',
  'not-ended': 'it has not ended',
  'no-volume': 'no volume is bound to it',
  'no-address': 'it has no address',
  'names-taken': 'other objects already use its names',
  'not-served': 'the cluster does not serve it yet',
  'no-progress': 'it has made no progress for too long',
  'previous-pods': 'previous pods still exist',
  reconciling: 'its controller is still working on it',
  stalled: 'it is stalled',
  'not-ready': 'it is not ready',
  failed: 'it has failed',
  'job-failed': 'the Job has failed',
  'pod-failed': 'the Pod has failed',
};

function troubleText({ problem, warning, otherPods }: Trouble): string {
  const shown = warning === undefined ? '' : `: ${warning.reason}: ${warning.message}`;
  const others = otherPods === 0 ? '' : `, and ${otherPods} other pod${otherPods === 1 ? '' : 's'}`;
  return `${problemText(problem)}${shown}${others}`;
}

function problemText(problem: TroubleProblem): string {
  switch (problem.of) {
    case 'refused-pods':
      return problem.message ?? 'the cluster refuses its pods';
    case 'event':
      return `${problem.reason}: ${problem.message}`;
    case 'unscheduled':
      return `no node takes the pod ${problem.pod}: ${problem.message}`;
    case 'failed':
      return joined(`the pod ${problem.pod} has failed`, problem.reason, problem.message);
    case 'not-ready':
      return `the pod ${problem.pod} runs but is not ready`;
    case 'not-started':
      return `the pod ${problem.pod} has not started`;
    case 'container-waiting':
      return `${containerText(problem)}: ${joined(problem.reason, problem.message)}`;
    case 'container-crashing':
      return `${containerText(problem)}: ${problem.reason}, ${endText('its last run', problem.end)}`;
    case 'container-ended':
      return `${containerText(problem)}: ${endText(problem.isPrevious ? 'its last run' : 'it', problem.end)}`;
  }
}

/** Formats `the container main of the pod web-7d4f-x2x8z`. */
export function containerText({ container, pod }: ContainerRef): string {
  return `the container ${container} of the pod ${pod}`;
}

function endText(run: string, { exitCode, reason = '', message = '' }: ContainerEnd): string {
  if (exitCode === undefined) return `${run} has ended`;
  const cause = reason === '' ? '' : ` (${reason})`;
  return `${run} ended with exit code ${exitCode}${cause}${message === '' ? '' : `: ${message}`}`;
}

const joined = (...texts: readonly (string | undefined)[]) => texts.filter((text) => text).join(': ');

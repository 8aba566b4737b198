import type { ContainerView } from './pod-status.ts';

/** Whether a kubelet restarts a container (kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle). */
export function restartsAfter(
  kind: ContainerView['kind'],
  exitCode: number,
  policy: string,
  finishing: boolean,
): boolean {
  switch (kind) {
    case 'sidecar':
      return !finishing;
    case 'init':
      return exitCode !== 0 && policy !== 'Never';
    case 'ephemeral':
      return false;
    case 'regular':
      return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
  }
}

/** Formats durations as Go prints them: `10s`, `1m20s`, `5m0s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

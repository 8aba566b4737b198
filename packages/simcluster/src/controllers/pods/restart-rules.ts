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

/** Formats durations as Go prints them: `10s`, `1m20s`, `5m0s`, `1h0m0s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  const rest = `${minutes % 60}m${seconds % 60}s`;
  return minutes < 60 ? rest : `${Math.floor(minutes / 60)}h${rest}`;
}

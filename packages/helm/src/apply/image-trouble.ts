/** A container that the kubelet cannot give its image, by the status of its pod. */
export interface ImageTrouble {
  readonly image: string;
  /** `ErrImagePull`, `InvalidImageName`... as the kubelet has it. */
  readonly reason: string;
  /** The kubelet's message about it, without the part that every image has; '' if it does not say why. */
  readonly cause: string;
  readonly container: string;
  readonly pod: string;
  readonly namespace: string | undefined;
  /** The pod was there before the action: it may have been refused before whatever was wrong was put right. */
  readonly isOld: boolean;
}

/**
 * Reasons for which a container waits for its image:
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/images/types.go
 */
const REASONS = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

export function isImageReason(reason: string): boolean {
  return REASONS.has(reason);
}

/** Nothing but a change helps: the name is none, or the pull policy forbids what would be needed. */
const FINAL_REASONS = new Set(['InvalidImageName', 'ErrImageNeverPull', 'SignatureValidationFailed']);

/** The registry answers and says no, in the words of containerd, CRI-O, and registries. */
const REFUSED =
  /not found|manifest unknown|name unknown|does not exist|denied|unauthori[sz]ed|authorization failed|authentication required|no basic auth credentials|4(?:01 Unauthorized|03 Forbidden)|no match for platform|no matching manifest|invalid reference format|x509|HTTP response to HTTPS client|will run as root/i;
/** The registry asks to come back later. */
const BUSY = /(?:429 |5\d\d [A-Z])|too ?many ?requests|rate limit/i;

/** A registry out of reach gets the kubelet's first two tries: it waits 10 s between them. */
const UNREACHABLE_PATIENCE_MS = 20_000;

/** How long waiting may still help, from the first refusal on; infinite if the registry asks to come back. */
export function patienceMs({ image, reason, cause }: ImageTrouble): number {
  if (FINAL_REASONS.has(reason)) return 0;
  // Names and addresses in it may hold any word.
  const text = cause.replaceAll(image, ' ').replaceAll(/"[^"]*"|https?:\/\/\S+/g, ' ');
  if (BUSY.test(text)) return Number.POSITIVE_INFINITY;
  return REFUSED.test(text) ? 0 : UNREACHABLE_PATIENCE_MS;
}

const NOISE =
  /^(?:Back-off pulling image "[^"]*"(?:: )?|ErrImagePull: |rpc error: code = \w+ desc = |Failed to pull image "[^"]*": |failed to pull and unpack image "[^"]*": |failed to resolve reference "[^"]*": |failed to do request: )+/;

/** What the kubelet says, without what it says of every image; '' where that is all, as with older kubelets. */
export function pullCause(message: string): string {
  return message.replace(NOISE, '').trim();
}

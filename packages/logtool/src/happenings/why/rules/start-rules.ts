import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import { PULL_REASONS, registryAnswer } from '../../../domain/verdicts/image-pulls.ts';
import type { Verdict, VerdictCode } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf, lastSecond } from '../evidence.ts';
import { groupsOf } from '../groups-of.ts';
import { makeVerdict, type Rule } from '../make-verdict.ts';
import { type ImageCode, meaningOf } from './image-answers.ts';
import { ageOf, containerFailuresOfGone, failuresOfGone, hasPassed, volumeOf } from './start-stages.ts';

type Waiting = FactOf<'waiting'>;

/** Proof: the kubelet's answer in the status, else in its event. */
export const imageNotPulled: Rule = (evidence) => {
  const waits = factsOf(evidence, 'waiting').filter(({ reason }) => PULL_REASONS.includes(reason));
  const reported = [
    ...waits.map((wait) => {
      const { code, answer, events } = answerOf(evidence, wait);
      return { fact: wait, image: wait.data.image ?? '', code, answer, events };
    }),
    ...pullsOfGone(evidence),
  ];
  return groupsOf(reported, ({ fact, image, code }) => `${fact.subject.container} ${image} ${code}`).map(
    (group) => {
      const [{ fact, image, code, answer, events }, ...others] = group;
      const container = fact.subject.container ?? '';
      const later = others.flatMap((each) => [each.fact, ...each.events]);
      return makeVerdict(evidence, code, { container, image, answer }, [fact, ...events, ...later], {
        container,
      });
    },
  );
};

/** Returns the failed pulls of pods that are gone, and whose Job has failed: only events report these. */
function pullsOfGone(evidence: Evidence) {
  const failures = containerFailuresOfGone(
    evidence,
    ['Failed', 'InspectFailed', 'ErrImageNeverPull'],
    ['Pulled', 'Started'],
  );
  return failures.flatMap((fact) => {
    const image = /\bimage(?: tag)? "([^"]+)"/.exec(fact.message)?.[1];
    if (image === undefined) return [];
    const answer = registryAnswer(fact.message);
    // pkg/kubelet/images, applyDefaultImageTag
    const isInvalid = fact.message.startsWith('Failed to apply default image tag');
    const code: ImageCode = isInvalid ? 'image-name-invalid' : meaningOf(answer);
    return [{ fact, image, code, answer, events: [] }];
  });
}

function answerOf(evidence: Evidence, wait: Waiting) {
  const { uid, container } = wait.subject;
  const events = eventsOf(evidence, 'Failed', 'InspectFailed', 'ErrImageNeverPull').filter(
    ({ subject, message }) =>
      subject.uid === uid && subject.container === container && /pull image|image/i.test(message),
  );
  // In older clusters the status reports only the back-off.
  const texts = [wait.message, ...events.map(({ message }) => message).reverse()];
  const image = /^Back-off pulling image "([^"]+)"/.exec(wait.message)?.[1] ?? wait.data.image;
  const text = texts.find((each) => isAnswer(each, image)) ?? wait.message;
  const answer = registryAnswer(text);
  return { code: codeOf(wait, answer), answer, events };
}

/** Whether a message has an answer about this image, not about one that the container had earlier. */
function isAnswer(message: string, image: string | undefined): boolean {
  return /ErrImagePull: /.test(message) || message.startsWith(`Failed to pull image "${image}"`);
}

function codeOf({ reason }: Waiting, answer: string): ImageCode {
  return reason === 'InvalidImageName' ? 'image-name-invalid' : meaningOf(answer);
}

type ObjectCode = Extract<VerdictCode, 'object-missing' | 'key-missing'>;

/** Proof: the kubelet names an object that it does not find, for variables or for a volume. */
export const configMissing: Rule = (evidence) => {
  const waits = factsOf(evidence, 'waiting').filter(({ reason }) => reason === 'CreateContainerConfigError');
  const mounts = openMounts(evidence);
  const found = [...waits, ...mounts, ...errorsOfGone(evidence)].flatMap((fact) => {
    const missing = missingOf(withoutError(fact.message));
    return missing === undefined ? [] : [{ fact, missing }];
  });
  return groupsOf(found, ({ missing }) => JSON.stringify(missing)).map((group): Verdict => {
    const [{ missing }] = group;
    const code: ObjectCode = 'key' in missing ? 'key-missing' : 'object-missing';
    const facts = group.flatMap(({ fact }) => [fact, ...failuresOf(evidence, fact)]) as [Fact, ...Fact[]];
    const doubts = group.every(({ fact }) => fact.kind === 'event') ? ageOf(evidence, facts) : [];
    return makeVerdict(evidence, code, missing as never, facts, { doubts });
  });
};

function failuresOf(evidence: Evidence, { subject, message, kind }: Fact): readonly Fact[] {
  if (kind === 'event') return [];
  return eventsOf(evidence, 'Failed').filter(
    (event) => event.subject.uid === subject.uid && event.message.includes(message),
  );
}

/**
 * pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables), pkg/volume/configmap, pkg/volume/secret, pkg/volume/projected. A
 * CSI driver may call other things secrets, with words around them.
 */
function missingOf(message: string) {
  const volume = /^MountVolume\.SetUp failed for volume "([^"]+)"/.exec(message)?.[1];
  const object = NOT_FOUND.exec(message);
  if (object !== null) return { kind: kindOf(object[1]), name: object[2] ?? '', ...(volume && { volume }) };
  const key = /couldn't find key (\S+) in (ConfigMap|Secret) (?:[^/\s]+\/)?(\S+)/.exec(message);
  if (key !== null)
    return { kind: kindOf(key[2]), key: key[1] ?? '', name: key[3] ?? '', ...(volume && { volume }) };
  const path = /references non-existent (config|secret) key: (\S+)/.exec(message);
  if (path === null) return undefined;
  return { kind: kindOf(path[1]), key: path[2] ?? '', ...(volume && { volume }) };
}

const NOT_FOUND =
  /^(?:MountVolume\.SetUp failed for volume "[^"]+" ?: ?)?\[?(configmap|secret) "([a-z0-9.-]+)" not found(?:$|[,\]])/;

function kindOf(name = ''): 'ConfigMap' | 'Secret' {
  return name.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap';
}

/** Returns the events that the containers of pods that are gone, and whose Job has failed, could not be created. */
function errorsOfGone(evidence: Evidence): readonly FactOf<'event'>[] {
  return containerFailuresOfGone(evidence, ['Failed'], ['Started']).filter(
    ({ message }) => message.startsWith('Error: ') && !PULL_REASONS.includes(withoutError(message)),
  );
}

/** Returns the message as the status has it (pkg/kubelet/kuberuntime, startContainer). */
function withoutError(message: string): string {
  return message.replace(/^Error: /, '');
}

/**
 * Proof: the status, else the kubelet's event, reports that the container could not be created, and no other rule knows
 * the message.
 */
export const containerNotCreated: Rule = (evidence) => {
  const waits = factsOf(evidence, 'waiting').filter(({ reason }) =>
    ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'].includes(reason),
  );
  const facts = [...waits, ...errorsOfGone(evidence)].filter(
    ({ message }) => missingOf(withoutError(message)) === undefined,
  );
  return groupsOf(facts, ({ subject, message }) => `${subject.container} ${message}`).map((group) => {
    const container = group[0].subject.container ?? '';
    const message = withoutError(group[0].message);
    return makeVerdict(evidence, 'container-not-created', { container, message }, group, { container });
  });
};

/** Returns the UIDs of pods whose containers are not created yet. */
function creatingPods(evidence: Evidence): ReadonlySet<string> {
  return new Set(
    factsOf(evidence, 'waiting')
      .filter(({ reason }) => reason === 'ContainerCreating' || reason === 'PodInitializing')
      .map(({ subject }) => subject.uid),
  );
}

/** Returns failures of pods that still wait, or never will again, unless a later stage shows that they are over. */
function openFailures(evidence: Evidence, ...reasons: readonly string[]): readonly FactOf<'event'>[] {
  const creating = creatingPods(evidence);
  const own = eventsOf(evidence, ...reasons).filter(
    (fact) => creating.has(fact.subject.uid) && !hasPassed(evidence, fact),
  );
  return [...own, ...failuresOfGone(evidence, ...reasons)];
}

function openMounts(evidence: Evidence): readonly FactOf<'event'>[] {
  return openFailures(evidence, 'FailedMount', 'FailedMapVolume');
}

/** Proof: events of the attacher or the kubelet about a pod that still waits, and no later stage of its start. */
export const volumeNotReady: Rule = (evidence) => {
  const attaches = openFailures(evidence, 'FailedAttachVolume');
  const inUse = attaches.filter(({ message }) => message.startsWith('Multi-Attach error'));
  const others = attaches.filter((fact) => !inUse.includes(fact));
  const attached = new Set(attaches.map(({ subject }) => subject.uid));
  const open = openMounts(evidence);
  const mounts = open.filter(
    ({ subject, message }) => !attached.has(subject.uid) && missingOf(message) === undefined,
  );
  // A timeout does not show the cause if another event does.
  const named = new Set(open.filter(({ message }) => !isTimeout(message)).map(({ subject }) => subject.uid));
  const reported = mounts.filter(({ subject, message }) => !isTimeout(message) || !named.has(subject.uid));
  return [
    ...groupsOf(inUse, ({ message }) => volumeOf(message)).map((group) =>
      makeVerdict(evidence, 'volume-in-use', { volume: volumeOf(group[0].message) }, group, {
        doubts: ageOf(evidence, group),
      }),
    ),
    ...groupsOf(others, ({ message }) => message).map((group) =>
      makeVerdict(evidence, 'volume-not-attached', { message: group[0].message }, group, {
        doubts: ageOf(evidence, group),
      }),
    ),
    ...groupsOf(reported, ({ message }) => message).map((group) =>
      makeVerdict(evidence, 'volume-not-mounted', { message: group[0].message }, group, {
        doubts: ageOf(evidence, group),
      }),
    ),
  ];
};

const isTimeout = (message: string) => message.startsWith('Unable to attach or mount volumes');

/** Proof: the kubelet's event about a pod that still waits. Each sandbox that it tries has an ID of its own. */
export const sandboxNotCreated: Rule = (evidence) =>
  groupsOf(openFailures(evidence, 'FailedCreatePodSandBox'), ({ message }) => withoutIds(message)).map(
    (group) => {
      const { message } = group.at(-1) ?? group[0];
      return makeVerdict(evidence, 'sandbox-not-created', { message }, group, {
        doubts: ageOf(evidence, group),
      });
    },
  );

function withoutIds(message: string): string {
  return message.replaceAll(/"[0-9a-f]{4,}"|\b[0-9a-f]{8,}\b/g, '');
}

/** Proof: the kubelet's event that it pulls the image of a container that still waits, and none that it is done. */
export const imagePulling: Rule = (evidence) => {
  const waits = factsOf(evidence, 'waiting').filter(({ reason }) =>
    ['ContainerCreating', 'PodInitializing'].includes(reason),
  );
  const pulls = waits.flatMap(({ subject: { uid, container } }) => {
    const own = eventsOf(evidence, 'Pulling', 'Pulled', 'Failed', 'Created', 'Started', 'BackOff').filter(
      ({ subject }) => subject.uid === uid && subject.container === container,
    );
    const last = own.reduce<(typeof own)[number] | undefined>(
      (a, b) => (a === undefined || lastSecond(b) >= lastSecond(a) ? b : a),
      undefined,
    );
    return last?.reason === 'Pulling' ? [last] : [];
  });
  return groupsOf(pulls, ({ subject, message }) => `${subject.container} ${message}`).map((group) => {
    const container = group[0].subject.container ?? '';
    const image = /"([^"]+)"/.exec(group[0].message)?.[1] ?? '';
    return makeVerdict(evidence, 'image-pulling', { container, image }, group, { container });
  });
};

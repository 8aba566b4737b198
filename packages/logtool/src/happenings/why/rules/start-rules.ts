import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import { PULL_REASONS, registryAnswer } from '../../../domain/verdicts/image-pulls.ts';
import type { Verdict, VerdictCode } from '../../../domain/verdicts/verdict.ts';
import { type Evidence, eventsOf, factsOf } from '../evidence.ts';
import { groupsOf } from '../groups-of.ts';
import { makeVerdict, type Rule } from '../make-verdict.ts';
import { type ImageCode, meaningOf } from './image-answers.ts';

type Waiting = FactOf<'waiting'>;

/** Proof: the kubelet's answer in the status, else in its event. */
export const imageNotPulled: Rule = (evidence) => {
  const waits = factsOf(evidence, 'waiting').filter(({ reason }) => PULL_REASONS.includes(reason));
  const reported = waits.map((wait) => ({ wait, ...answerOf(evidence, wait) }));
  return groupsOf(reported, ({ wait, code }) => `${wait.subject.container} ${wait.data.image} ${code}`).map(
    (group) => {
      const [{ wait, code, answer }] = group;
      const container = wait.subject.container ?? '';
      const facts = group.flatMap((each) => [each.wait, ...each.events]) as [Fact, ...Fact[]];
      return makeVerdict(evidence, code, { container, image: wait.data.image ?? '', answer }, facts, {
        container,
      });
    },
  );
};

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
  const found = [...waits, ...mounts].flatMap((fact) => {
    const missing = missingOf(fact.message);
    return missing === undefined ? [] : [{ fact, missing }];
  });
  return groupsOf(found, ({ missing }) => JSON.stringify(missing)).map((group): Verdict => {
    const [{ missing }] = group;
    const code: ObjectCode = 'key' in missing ? 'key-missing' : 'object-missing';
    const facts = group.flatMap(({ fact }) => [fact, ...failuresOf(evidence, fact)]) as [Fact, ...Fact[]];
    return makeVerdict(evidence, code, missing as never, facts);
  });
};

function failuresOf(evidence: Evidence, { subject, message, kind }: Fact): readonly Fact[] {
  if (kind === 'event') return [];
  return eventsOf(evidence, 'Failed').filter(
    (event) => event.subject.uid === subject.uid && event.message.includes(message),
  );
}

/** pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables), pkg/volume/configmap, pkg/volume/secret. */
function missingOf(message: string) {
  const volume = /^MountVolume\.SetUp failed for volume "([^"]+)"/.exec(message)?.[1];
  const object = /(configmap|secret) "([^"]+)" not found/i.exec(message);
  if (object !== null) return { kind: kindOf(object[1]), name: object[2] ?? '', ...(volume && { volume }) };
  const key = /couldn't find key (\S+) in (ConfigMap|Secret) (?:[^/\s]+\/)?(\S+)/.exec(message);
  if (key !== null)
    return { kind: kindOf(key[2]), key: key[1] ?? '', name: key[3] ?? '', ...(volume && { volume }) };
  const path = /references non-existent (config|secret) key: (\S+)/.exec(message);
  if (path === null) return undefined;
  return { kind: kindOf(path[1]), key: path[2] ?? '', ...(volume && { volume }) };
}

function kindOf(name = ''): 'ConfigMap' | 'Secret' {
  return name.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap';
}

/** Proof: the status reports that the container could not be created, and no other rule knows the message. */
export const containerNotCreated: Rule = (evidence) => {
  const waits = factsOf(evidence, 'waiting').filter(
    ({ reason, message }) =>
      ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'].includes(reason) &&
      missingOf(message) === undefined,
  );
  return groupsOf(waits, ({ subject, message }) => `${subject.container} ${message}`).map((group) => {
    const container = group[0].subject.container ?? '';
    const { message } = group[0];
    return makeVerdict(evidence, 'container-not-created', { container, message }, group, { container });
  });
};

/** Returns failed mounts of pods that still wait; the failures of a running pod are over. */
export function openMounts(evidence: Evidence): readonly FactOf<'event'>[] {
  const waiting = new Set(
    factsOf(evidence, 'waiting')
      .filter(({ reason }) => reason === 'ContainerCreating' || reason === 'PodInitializing')
      .map(({ subject }) => subject.uid),
  );
  return eventsOf(evidence, 'FailedMount', 'FailedMapVolume').filter(({ subject }) =>
    waiting.has(subject.uid),
  );
}

/** Proof: events of the attacher or the kubelet about a pod that still waits. */
export const volumeNotReady: Rule = (evidence) => {
  const waiting = new Set(
    factsOf(evidence, 'waiting')
      .filter(({ reason }) => reason === 'ContainerCreating' || reason === 'PodInitializing')
      .map(({ subject }) => subject.uid),
  );
  const attaches = eventsOf(evidence, 'FailedAttachVolume').filter(({ subject }) => waiting.has(subject.uid));
  const inUse = attaches.filter(({ message }) => message.startsWith('Multi-Attach error'));
  const others = attaches.filter((fact) => !inUse.includes(fact));
  const attached = new Set(attaches.map(({ subject }) => subject.uid));
  const mounts = openMounts(evidence).filter(
    ({ subject, message }) => !attached.has(subject.uid) && missingOf(message) === undefined,
  );
  // A timeout does not show the cause if another event does.
  const named = new Set(
    openMounts(evidence)
      .filter(({ message }) => !isTimeout(message))
      .map(({ subject }) => subject.uid),
  );
  const reported = mounts.filter(({ subject, message }) => !isTimeout(message) || !named.has(subject.uid));
  return [
    ...groupsOf(inUse, ({ message }) => volumeOf(message)).map((group) =>
      makeVerdict(evidence, 'volume-in-use', { volume: volumeOf(group[0].message) }, group),
    ),
    ...groupsOf(others, ({ message }) => message).map((group) =>
      makeVerdict(evidence, 'volume-not-attached', { message: group[0].message }, group),
    ),
    ...groupsOf(reported, ({ message }) => message).map((group) =>
      makeVerdict(evidence, 'volume-not-mounted', { message: group[0].message }, group),
    ),
  ];
};

const isTimeout = (message: string) => message.startsWith('Unable to attach or mount volumes');

function volumeOf(message: string): string {
  return /for volume "([^"]+)"/.exec(message)?.[1] ?? '';
}

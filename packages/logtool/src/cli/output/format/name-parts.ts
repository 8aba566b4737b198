import type { ContainerTarget } from '../../../domain/container.ts';

/** The parts of a container's whole name, from the widest to the narrowest. */
export const NAME_PARTS = ['namespace', 'pod', 'container'] as const;

type NamePart = (typeof NAME_PARTS)[number];

/** The parts of their names that distinguish the containers in view: none for a single container. */
export class NameParts {
  #first: ContainerTarget | undefined;
  readonly #differing = new Set<NamePart>();

  /** True when it takes more parts than before. */
  see(target: ContainerTarget): boolean {
    this.#first ??= target;
    const before = this.#differing.size;
    for (const part of NAME_PARTS) if (target[part] !== this.#first[part]) this.#differing.add(part);
    return this.#differing.size > before;
  }

  get differing(): readonly NamePart[] {
    return NAME_PARTS.filter((part) => this.#differing.has(part));
  }
}

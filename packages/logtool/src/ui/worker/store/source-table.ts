import type { LogSource } from '../../../contract/log-source.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { HueAllotment, identityOf } from '../../../domain/speakers/hues.ts';
import type { SourceCondition, ViewSource } from '../session/protocol.ts';

/** For entries without a source: they come before all others of their time. */
export const NO_SOURCE = 0xffff_ffff;

/** One run of a container, and its loaded lines. */
export interface HeldSource {
  readonly index: number;
  wire: LogSource;
  /** Held lines by level; the last one: without a level. */
  readonly levels: Uint32Array;
  isNew: boolean;
  isGone: boolean;
  /** No wanted argument asks for it any more. */
  isLeftOut: boolean;
}

/**
 * The sources of a view, by an index that stays over reconnects (a stream counts its own sources from 0). A run is
 * known by its place in the order; the hue belongs to the container.
 */
export class SourceTable {
  readonly all: HeldSource[] = [];
  readonly #byOrder = new Map<string, HeldSource>();
  readonly #hues = new HueAllotment();
  /** Changes with every fact that the page shows. */
  version = 0;

  /** Takes in a source as the server describes it; returns its index here. */
  take(wire: LogSource, isNew: boolean): number {
    this.version++;
    const known = this.#byOrder.get(wire.order) ?? this.#withoutRun(wire);
    if (known !== undefined) {
      known.wire = { ...wire, index: known.index };
      this.#byOrder.set(wire.order, known);
      known.isGone = false;
      known.isLeftOut = false;
      return known.index;
    }
    const index = this.all.length;
    this.#hues.see(identityOf(wire));
    const source: HeldSource = {
      index,
      wire: { ...wire, index },
      levels: new Uint32Array(LEVELS.length + 1),
      isNew,
      isGone: false,
      isLeftOut: false,
    };
    this.all.push(source);
    this.#byOrder.set(wire.order, source);
    return index;
  }

  /**
   * A container whose run was not known yet: now it is. Its place among equal times stays, as far as other containers
   * are concerned.
   */
  #withoutRun(wire: LogSource): HeldSource | undefined {
    if (wire.run === '') return undefined;
    const order = wire.order.slice(0, -wire.run.length);
    const known = this.#byOrder.get(order);
    // The next run of the container is another one.
    this.#byOrder.delete(order);
    return known;
  }

  /** Takes in a container that is known only by what was counted of it. */
  introduce(wire: LogSource): void {
    if (!this.#byOrder.has(wire.order)) this.take(wire, false);
  }

  get(index: number): HeldSource {
    const source = this.all[index];
    if (source === undefined) throw new Error(`there is no source ${index}`);
    return source;
  }

  order(index: number): string {
    if (index === NO_SOURCE) return '';
    return (this.all[index] as HeldSource).wire.order;
  }

  /** The container left: its lines stay. */
  setGone(index: number): void {
    const { id } = this.get(index).wire;
    for (const source of this.all) if (source.wire.id === id) source.isGone = true;
    this.version++;
  }

  /** For the page: runs of one container are one another's neighbours in nothing but their id and hue. */
  list(
    wanted: (source: HeldSource) => boolean,
    conditionOf: (source: HeldSource) => SourceCondition,
  ): ViewSource[] {
    return this.all.map((source) => ({
      ...source.wire,
      hue: this.#hues.of(identityOf(source.wire)),
      lines: linesOf(source),
      isNew: source.isNew,
      isGone: source.isGone,
      isRemoved: source.isLeftOut || !wanted(source),
      condition: conditionOf(source),
    }));
  }
}

/** Lines of a run that are held. */
export function linesOf(source: HeldSource): number {
  return source.levels.reduce((sum, lines) => sum + lines, 0);
}

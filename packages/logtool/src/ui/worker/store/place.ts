import type { Order, Place } from './order.ts';

/** The one of two places that stands first. */
export function earlier(a: Place, b: Place): Place {
  return isBefore(b, a) ? b : a;
}

/** The one of two places that stands last. */
export function later(a: Place, b: Place): Place {
  return isBefore(a, b) ? b : a;
}

function isBefore(a: Place, b: Place): boolean {
  return a.chunk < b.chunk || (a.chunk === b.chunk && a.offset < b.offset);
}

/** The same place, at the entry itself rather than behind the last one of the chunk before. */
export function normal(order: Order, place: Place): Place {
  const chunk = order.chunks[place.chunk];
  return chunk !== undefined && place.offset < chunk.length ? place : { chunk: place.chunk + 1, offset: 0 };
}

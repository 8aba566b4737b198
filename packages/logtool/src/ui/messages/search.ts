import { nearNames } from '@logtool/kube/src/values/near-names.ts';
import { LEVELS } from '../../domain/filter.ts';
import type { MissingField, SearchFault } from '../worker/protocol/protocol.ts';
import { countText } from './count.ts';

const LEVEL_NAMES = [...LEVELS, 'none'];
const MAX_SHOWN_CHARS = 40;

/** Shown beside a line whose hit is not visible in its row: in a field, or in the text around fields. */
export function hiddenHitText(key: string): string {
  return key === '' ? 'hit in the line as written' : `hit in ${key.slice(0, MAX_SHOWN_CHARS)}`;
}

/** Shown beside a search without hits: none of the lines read has its field. */
export function missingFieldText({ path, near, lines, isAll }: MissingField): string {
  const none = isAll
    ? 'no line read so far has'
    : `none of the newest ${countText(lines, 'line')} that logtool read has`;
  const advice = near === undefined ? '' : `; did you mean ${near.slice(0, MAX_SHOWN_CHARS)}?`;
  return `${none} the field ${path.slice(0, MAX_SHOWN_CHARS)}${advice}`;
}

/** Shown beside a search for `@trace_id` without a value. */
export function keyWithoutValueText(name: string): string {
  const key = `@${name.slice(0, MAX_SHOWN_CHARS)}`;
  return `${key} is searched as text; write ${key}:value for the field`;
}

/** Shown in place of the number of hits. */
export function notSearchedText(isEarlierKept: boolean): string {
  return isEarlierKept ? 'not searched; the log shows the previous search' : 'not searched';
}

/** Shown if nothing of the cluster matches a typed source. */
export function noSourceText(typed: string): string {
  return `Nothing else matches ${typed.slice(0, MAX_SHOWN_CHARS)}. To add what does not exist yet, write kind/name or namespace:pod`;
}

/** Explains why a search is invalid, beside its field. */
export function searchFaultText(fault: SearchFault): string {
  switch (fault.code) {
    case 'pattern':
      return fault.why;
    case 'unknown-key': {
      const name = fault.name.slice(0, MAX_SHOWN_CHARS);
      return `no key @${name}; did you mean @${fault.near}? @json.${name} is the field`;
    }
    case 'no-number':
      return `no number after ${fault.value.replace(/^([<>]=?).*$/s, '$1')}; to find the text, quote it: @${fault.name.slice(0, MAX_SHOWN_CHARS)}:"${fault.value.slice(0, MAX_SHOWN_CHARS)}"`;
    case 'unknown-level': {
      const [near] = nearNames(fault.value, LEVEL_NAMES);
      const advice = near === undefined ? `levels are ${LEVEL_NAMES.join(', ')}` : `did you mean ${near}?`;
      return `no level ${fault.value.slice(0, MAX_SHOWN_CHARS)}; ${advice}`;
    }
  }
}

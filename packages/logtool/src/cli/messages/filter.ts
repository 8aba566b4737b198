import { filterMessages } from '../../messages/filter.ts';

/** A pattern is called by its flag. */
export const FILTER_MESSAGES = filterMessages((use) => `--${use}`);

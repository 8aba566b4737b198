import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../value/quote.ts';
import { strangeCharacter, within } from './format-problem.ts';

export function ipv4Problem(text: string): string | undefined {
  const groups = text.split('.');
  if (groups.length !== 4) return 'expected four decimals';
  for (const group of groups) {
    if (group.length > 1 && group.startsWith('0')) return 'leading zeros';
    if (!/^[+-]?\d+$/.test(group)) return `strconv.Atoi: parsing ${quote(group)}: invalid syntax`;
    if (group.length > 18) return `strconv.Atoi: parsing ${quote(group)}: value out of range`;
    if (Number(group) < 0 || Number(group) > 255) return 'decimal must be between 0 and 255';
  }
  return undefined;
}

export function ipv6Problem(text: string): string | undefined {
  if (!text.includes(':')) return 'missing colon';
  const [address = '', ...zone] = text.split('%');
  if (!isIPv6(address) && !isIPv4(address)) return `ParseAddr(${quote(text)}): unable to parse IP`;
  return zone.length > 0 ? 'zone id is not a part of ipv6 address' : undefined;
}

/** Checks RFC 1123 section 2.1. */
export function hostnameProblem(text: string): string | undefined {
  const name = text.replace(/\.$/, '');
  if (Buffer.byteLength(name) > 253) return 'more than 253 characters long';
  for (const label of name.split('.')) {
    const length = Buffer.byteLength(label);
    if (length < 1 || length > 63) return 'label must be 1 to 63 characters long';
    if (label.startsWith('-')) return 'label starts with hyphen';
    if (label.endsWith('-')) return 'label ends with hyphen';
    const strange = strangeCharacter(label, /[A-Za-z\d-]/);
    if (strange !== undefined) return strange;
  }
  return undefined;
}

/** Checks RFC 5321 section 4.1.2. */
export function emailProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) > 254) return 'more than 255 characters long';
  const at = text.lastIndexOf('@');
  if (at === -1) return 'missing @';
  const local = text.slice(0, at);
  if (Buffer.byteLength(local) > 64) return 'local part more than 64 characters long';
  return localNameProblem(local) ?? domainProblem(text.slice(at + 1));
}

function localNameProblem(local: string): string | undefined {
  if (local.length > 1 && local.startsWith('"')) {
    return /[\\"]/.test(local.slice(1, -1))
      ? 'backslash and quote are not allowed within quoted local part'
      : undefined;
  }
  if (local.startsWith('.')) return 'starts with dot';
  if (local.endsWith('.')) return 'ends with dot';
  if (local.includes('..')) return 'consecutive dots';
  return strangeCharacter(local, /[\w.!#$%&'*+\-/=?^`{|}~]/);
}

function domainProblem(domain: string): string | undefined {
  if (!domain.startsWith('[') || !domain.endsWith(']')) {
    return within('invalid domain', hostnameProblem(domain));
  }
  const address = domain.slice(1, -1);
  return address.startsWith('IPv6:')
    ? within('invalid ipv6 address', ipv6Problem(address.slice('IPv6:'.length)))
    : within('invalid ipv4 address', ipv4Problem(address));
}

import type { Random } from './random.ts';

const FIELD = /\{(int|hex|uuid|ip|ms|pick|n|order|user|path)(?::([^{}]*))?\}/g;

/** Fills in `{int:1-9} {hex:8} {uuid} {ip} {ms} {pick:a|b} {n} {order} {user} {path}`. */
export function fill(template: string, random: Random, n: number): string {
  if (!template.includes('{')) return template;
  return template.replace(FIELD, (_all, field: string, argument: string | undefined) => {
    switch (field) {
      case 'int': {
        const [low = '0', high = '99'] = (argument ?? '').split('-');
        return String(random.int(Number(low) || 0, Number(high) || 0));
      }
      case 'hex':
        return random.hex(Number(argument ?? 8) || 8);
      case 'uuid':
        return random.uuid();
      case 'ip':
        return `10.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`;
      case 'ms':
        return durationLike(random).toFixed(1);
      case 'pick':
        return random.pick((argument ?? '').split('|'));
      case 'order':
        return `ord_${random.hex(10)}`;
      case 'user':
        return `u${random.int(10_000, 99_999)}`;
      case 'path':
        return random.pick(PATHS);
      default:
        return String(n);
    }
  });
}

/** Returns milliseconds with a long tail, as latencies have. */
export function durationLike(random: Random): number {
  return 2 + 18 / (1.0001 - random.next()) ** 0.7;
}

export const PATHS = [
  '/',
  '/healthz',
  '/api/v1/products',
  '/api/v1/products/1042',
  '/api/v1/cart',
  '/api/v1/cart/items',
  '/api/v1/checkout',
  '/api/v1/orders',
  '/api/v1/search?q=lamp',
  '/static/app.4f1c9e.js',
  '/static/style.css',
  '/favicon.ico',
] as const;

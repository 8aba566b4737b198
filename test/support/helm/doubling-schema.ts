/** Returns a schema in which each level refers to the next twice: 2^levels checks of the same value. */
export function doublingSchema(levels: number): string {
  const definitions = Object.fromEntries(
    Array.from({ length: levels }, (_, at) => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return [`a${at}`, { allOf: [next, next] }];
    }),
  );
  return JSON.stringify({ $ref: '#/$defs/a0', $defs: { ...definitions, [`a${levels}`]: true } });
}

import { expect, test } from 'vitest';
import { exposition, Tally } from './exposition.ts';

test('a family is its help, its type and a line for each combination of labels', () => {
  const requests = new Tally();
  requests.add({ method: 'GET', status: '2xx' });
  requests.add({ method: 'GET', status: '2xx' });
  requests.add({ method: 'POST', status: '4xx' }, 3);
  const plain = {
    name: 'lines_total',
    help: 'Lines.',
    type: 'gauge',
    samples: [{ labels: {}, value: 0.5 }],
  } as const;
  expect(
    exposition([
      { name: 'requests_total', help: 'Requests.', type: 'counter', samples: requests.samples },
      plain,
    ]),
  ).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{method="GET",status="2xx"} 2
requests_total{method="POST",status="4xx"} 3
# HELP lines_total Lines.
# TYPE lines_total gauge
lines_total 0.5
`);
});

test('what would end a label is escaped', () => {
  const samples = [{ labels: { name: 'a"b\\c\nd' }, value: 1 }];
  expect(exposition([{ name: 'x', help: 'X.', type: 'gauge', samples }])).toContain(
    'x{name="a\\"b\\\\c\\nd"} 1\n',
  );
});

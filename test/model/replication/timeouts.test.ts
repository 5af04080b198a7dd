import { REPLICATION_SET_TIMEOUTS } from '../../../src/model';
import { literal } from '../../../src/model/messages';
import { PRIMARY_TIMEOUTS, timeoutRules } from '../../../src/model/replication/timeouts';

const findings = (values: Readonly<Record<string, unknown>>) =>
  timeoutRules(PRIMARY_TIMEOUTS).flatMap((rule) => rule.check(values));

test("the timeouts have the interface's defaults and rules", () => {
  expect(PRIMARY_TIMEOUTS.create).toEqual({
    type: 'duration',
    default: '2m',
    doc: 'Maximum time to create the resource: seconds, or a duration such as `10m`.',
  });
  expect(timeoutRules(REPLICATION_SET_TIMEOUTS).map(({ id, reads }) => [id, reads])).toEqual([
    ['mode_change-positive', ['mode_change']],
    ['takeover-positive', ['takeover']],
    ['sync-positive', ['sync']],
  ]);
});

test.each([undefined, null, '1', '90s', '0.5s', '2562047h'])('a timeout of %j is accepted', (create) => {
  expect(findings({ create })).toEqual([]);
});

test.each(['0', '0s', '-5m', 'soon', '', '10000000h'])('a timeout of %j is refused', (create) => {
  expect(findings({ create, delete: '1m' })).toEqual([
    {
      severity: 'error',
      rule: 'create-positive',
      field: 'create',
      problem: 'must be a duration of more than 0 and at most 292 years',
      received: literal(create),
      allowed: 'a number of seconds, or a duration such as "90s" or "10m"',
      cure: 'correct it, or remove it',
    },
  ]);
});

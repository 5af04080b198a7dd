import {
  afterFailure,
  type AfterFailure,
  type FailedStep,
} from '../../../../../src/provider/replication/set/decide/after-failure';

const FACTS = [
  'stopped',
  'isLastTry',
  'isDeadline',
  'isNext',
  'mayPass',
  'isOfSecondary',
  'hasWayBack',
] as const;

/** Returns a failed step of which only the given facts are true. */
function failed(...facts: readonly (keyof FailedStep)[]): FailedStep {
  return Object.fromEntries(FACTS.map((fact) => [fact, facts.includes(fact)])) as unknown as FailedStep;
}

test.each<[string, FailedStep, AfterFailure]>([
  ['a step that took effect although its answer was lost', failed(), 'again'],
  ['a server that was busy', failed('isNext', 'mayPass'), 'again'],
  ['a server that was busy at the last try', failed('isNext', 'mayPass', 'isLastTry'), 'fail'],
  ['a refusal', failed('isNext'), 'fail'],
  ['a refusal after the user has stopped Terraform', failed('isNext', 'stopped'), 'again'],
  ['a wait that took too long', failed('isDeadline', 'mayPass'), 'fail'],
  ['a refusal of one secondary', failed('isNext', 'isOfSecondary'), 'postpone'],
  ['a refusal of one secondary that was busy', failed('isNext', 'mayPass', 'isOfSecondary'), 'again'],
  ['a refused promotion', failed('isNext', 'hasWayBack'), 'turn back'],
  ['a promotion that took too long', failed('isDeadline', 'hasWayBack'), 'turn back'],
  ['a promotion at its last try', failed('isLastTry', 'mayPass', 'isNext', 'hasWayBack'), 'turn back'],
])('the next action is the right one after %s', (_failure, step, next) => {
  expect(afterFailure(step)).toBe(next);
});

test('every combination of facts leads to a next action, and only a stopped or unfinished step is tried again', () => {
  const all = Array.from({ length: 2 ** FACTS.length }, (_, bits) =>
    failed(...FACTS.filter((_fact, index) => (bits >> index) & 1)),
  );
  const counts: Partial<Record<AfterFailure, number>> = {};
  for (const step of all) {
    const next = afterFailure(step);
    counts[next] = (counts[next] ?? 0) + 1;
    const mayTry = !step.isLastTry && !step.isDeadline && (!step.isNext || step.mayPass);
    expect([step, next === 'again']).toEqual([step, step.stopped || mayTry]);
  }
  expect(counts).toEqual({ again: 76, postpone: 26, 'turn back': 13, fail: 13 });
});

/** The steps that a plan of policies takes between two turns of the event loop. */
import * as timers from 'node:timers';
import { Effort } from '../../../src/model';
import { STEPS_OF_A_CHANGE } from '../../../src/model/policies/policy-change';
import { planOfPolicy, take } from '../../fuzz/support/provider-calls';

const POLICIES = 8;

/** Returns rules with "+" at all places: each has paths in common with nearly all others. */
function crossing(policy: number): string {
  return Array.from({ length: 1_024 }, (_, index) => {
    const path = index.toString(2).padStart(10, '0').replaceAll('1', '+/').replaceAll('0', 'a/');
    return `path "${path}${policy}*" { capabilities = ["${index % 2 === 0 ? 'update' : 'list'}"] }\n`;
  }).join('');
}

/** The steps that examinations took since the last turn of the event loop. */
let steps = 0;
/** The number of steps in each turn before the last one. */
let turns: number[] = [];

beforeEach(() => {
  [steps, turns] = [0, []];
  const spend = Object.getOwnPropertyDescriptor(Effort.prototype, 'spend')!.value as Effort['spend'];
  jest.spyOn(Effort.prototype, 'spend').mockImplementation(function (this: Effort, paid) {
    spend.call(this, paid);
    if (this.left !== Infinity) steps += paid;
  });
  const { setImmediate: nextTurn } = timers.promises;
  jest.spyOn(timers.promises, 'setImmediate').mockImplementation(async <T>(value?: T) => {
    turns.push(steps);
    steps = 0;
    return nextTurn(value as T);
  });
});

test('a plan of hostile policies takes at most the steps of one comparison between two turns', async () => {
  const changes = Array.from({ length: POLICIES }, (_, index) =>
    planOfPolicy(crossing(index).replaceAll('update', 'read'), crossing(index)),
  );
  const said = await take(changes, () => ({ status: 404, headers: {}, body: '{"errors":[]}' }));
  expect(said.filter(({ summary }) => summary.includes('could not be determined'))).toHaveLength(POLICIES);
  turns.push(steps);
  expect(turns.length).toBeGreaterThan(POLICIES);
  expect(Math.max(...turns)).toBeLessThanOrEqual(STEPS_OF_A_CHANGE);
  expect(Math.max(...turns)).toBeGreaterThan(0.9 * STEPS_OF_A_CHANGE);
});

import type { Command } from 'commander';
import { program } from '../../src/cli/program';
import { describedCommands, faultsOf } from './support/json-schemas';

// The helper in test/cli/support/cli.ts checks the JSON of each command that a test runs.

test('exactly the commands that print JSON have a schema', () => {
  const namesOf = (command: Command): string[] => {
    const names = command.commands.flatMap(namesOf).map((name) => `${command.name()} ${name}`);
    return command.options.some(({ long }) => long === '--json') ? [command.name(), ...names] : names;
  };
  const printing = program().commands.flatMap(namesOf);
  expect(describedCommands().toSorted()).toEqual(printing.toSorted());
});

test.each([
  ['right', { checks: [{ subject: 'Terraform', outcome: 'ok', text: '1.11.4' }] }, []],
  ['without a field', {}, ["data must have required property 'checks'"]],
  [
    'with another value',
    { checks: [{ subject: 'Terraform', outcome: 'fine', text: '' }] },
    ['data/checks/0/outcome must be equal to one of the allowed values'],
  ],
  [
    'with a field that the schema lacks',
    { checks: [{ subject: 'Terraform', outcome: 'ok', text: '', advice: '' }] },
    ['data/checks/0 must NOT have additional properties'],
  ],
])('the schema finds the faults of a report that is %s', (_what, report, faults) => {
  expect(faultsOf('doctor', report)).toEqual(faults);
});

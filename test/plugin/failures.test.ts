import { actions } from '../support/terraform';
import { fixtureStack, type FixtureStack } from './support/stack';

let stack: FixtureStack;
beforeEach(async () => {
  stack = await fixtureStack();
});
afterEach(() => stack.dispose());

async function failingApply(behavior: string, more = ''): Promise<string> {
  configure(behavior, more);
  const { code, stderr } = await stack.workspace.run('apply', '-auto-approve', '-no-color');
  expect(code).toBe(1);
  return stderr.replace(/\s+/g, ' ');
}

function configure(behavior: string, more = ''): void {
  stack.configure(
    `resource "fixture_thing" "a" {\n  name = "alpha"\n  behavior = "${behavior}"\n  ${more}\n}\n`,
  );
}

test('a creation that fails after keep is stored as tainted, and replaced', async () => {
  expect(await failingApply('half')).toContain('Error: Only half done');
  expect(await stack.workspace.state()).toMatchObject({
    'fixture_thing.a': { id: 'alpha', name: 'alpha', protected: null, revision: 1 },
  });
  configure('none');
  expect(actions(await stack.workspace.plan())).toEqual({ 'fixture_thing.a': 'delete,create' });
  await stack.workspace.apply('tfplan');
  expect(stack.world.get('alpha')).toMatchObject({ note: null });
});

test('a creation that returns its state together with an error is stored as tainted', async () => {
  const shown = await failingApply('report', 'note = "n"');
  expect(shown).toContain('Error: Done, but');
  expect(shown).toContain('note = "n" something is wrong with it.');
  expect(actions(await stack.workspace.plan())).toEqual({ 'fixture_thing.a': 'delete,create' });
});

test('a creation that fails before it calls keep stores nothing', async () => {
  stack.world.put('alpha', { note: "somebody else's" });
  const shown = await failingApply('none');
  expect(shown).toContain('Error: It exists');
  expect(shown).toContain('name = "alpha" alpha exists.');
  expect(await stack.workspace.state()).toEqual({});
});

test('an unexpected error of a handler is reported as a defect, without secrets', async () => {
  const shown = await failingApply('throw', 'secret = "canary-in-error"');
  expect(shown).toContain('Error: Provider failed unexpectedly');
  expect(shown).toContain(
    'This is a defect of the provider, not of the configuration: out of luck with (hidden)',
  );
  expect(shown).not.toContain('canary-in-error');
});

test('a failed update keeps the stored state', async () => {
  configure('none', 'note = "before"');
  await stack.workspace.apply();
  await failingApply('throw', 'note = "after"');
  expect(await stack.workspace.state()).toMatchObject({
    'fixture_thing.a': { note: 'before', behavior: 'none', revision: 1 },
  });
  configure('none', 'note = "before"');
  expect(actions(await stack.workspace.plan())).toEqual({ 'fixture_thing.a': 'no-op' });
});

test('a failed deletion keeps the object', async () => {
  configure('undeletable');
  await stack.workspace.apply();
  const { code, stderr } = await stack.workspace.run('destroy', '-auto-approve', '-no-color');
  expect(code).toBe(1);
  expect(stderr).toContain('It sticks.');
  expect(Object.keys(await stack.workspace.state())).toEqual(['fixture_thing.a']);
});

test('a plan can be refused', async () => {
  expect(await failingApply('refuse plan')).toContain('behavior = "refuse plan" As told.');
});

test('a deferral is an error if Terraform does not support it', async () => {
  expect(await failingApply('defer')).toContain('Something that it requires does not exist yet.');
});

test('a change of a resource without update is an error', async () => {
  stack.configure('resource "fixture_gadget" "g" { label = "one" }');
  await stack.workspace.apply();
  stack.configure('resource "fixture_gadget" "g" { label = "two" }');
  const { stderr } = await stack.workspace.run('apply', '-auto-approve', '-no-color');
  expect(stderr.replace(/\s+/g, ' ')).toContain('gadget has no update, yet a change was planned in place');
});

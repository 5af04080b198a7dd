import { fixtureStack, type FixtureStack } from './support/stack';

let stack: FixtureStack;
beforeEach(async () => {
  stack = await fixtureStack();
});
afterEach(() => stack.dispose());

test('a data source is read', async () => {
  stack.world.put('alpha', { note: 'seen' });
  stack.configure('data "fixture_thing" "d" { name = "alpha" }');
  await stack.workspace.apply();
  expect(await stack.workspace.state()).toEqual({
    'data.fixture_thing.d': { name: 'alpha', note: 'seen', names: 'alpha' },
  });
});

test('a data source whose arguments are unknown is read at apply', async () => {
  stack.world.put('created', { note: 'seen' });
  stack.configure(`
    resource "fixture_gadget" "g" {}
    data "fixture_thing" "d" { name = fixture_gadget.g.origin }
  `);
  await stack.workspace.apply();
  expect((await stack.workspace.state())['data.fixture_thing.d']).toMatchObject({ note: 'seen' });
});

test('a data source reports a missing object', async () => {
  stack.configure('data "fixture_thing" "d" {\n  name = "missing"\n}');
  const { code, stderr } = await stack.workspace.run('plan', '-no-color');
  expect(code).toBe(1);
  expect(stderr).toMatch(/Error: No such thing[^]*name = "missing"[^]*There is no missing\./);
});

test('an ephemeral resource is opened, renewed and closed, and never stored', async () => {
  stack.configure(`
    ephemeral "fixture_ticket" "t" {
      holder   = "me"
      lifetime = 1
    }
    provider "fixture" {
      alias  = "with_ticket"
      secret = ephemeral.fixture_ticket.t.token
    }
    resource "fixture_shapes" "s" {
      provider = fixture.with_ticket
      count    = 20
    }
  `);
  await stack.workspace.apply();
  const { events } = stack.world.get('ticket-me') as { events: string[] };
  expect(events[0]).toBe('open');
  expect(events.filter((event) => event === 'open').length).toBe(
    events.filter((event) => event === 'close').length,
  );
  // The order is not compared, because a renewal that is running may end after the close.
  expect(new Set(events)).toEqual(new Set(['open', 'renew', 'close']));
  expect(stack.workspace.read('terraform.tfstate')).not.toContain('ticket-secret-of-me');
});

test('functions accept positional, null and variadic arguments', async () => {
  stack.configure(`
    output "once" { value = provider::fixture::shout("hi", null) }
    output "more" { value = provider::fixture::shout("hi", 2, "you", "there") }
  `);
  await stack.workspace.apply();
  const outputs = JSON.parse((await stack.workspace.must('output', '-json')).stdout) as Record<
    string,
    { value: unknown }
  >;
  expect(outputs.once!.value).toEqual(['HI']);
  expect(outputs.more!.value).toEqual(['HI', 'HI', 'YOU', 'THERE']);
});

test('a refusal by a function names the argument', async () => {
  stack.configure('output "none" { value = provider::fixture::shout("", 1) }');
  const { stderr } = await stack.workspace.run('plan', '-no-color');
  expect(stderr).toContain('Invalid value for "text" parameter: there is nothing to shout.');
});

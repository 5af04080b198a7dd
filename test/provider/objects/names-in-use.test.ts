import { NamesInUse } from '../../../src/provider/objects/names-in-use';
import { aclPolicy, startStack } from '../support';

describe('the lists of names that are in use on a cluster', () => {
  let time = 0;
  let lists = 0;
  const list = () => {
    lists += 1;
    return Promise.resolve(['Default', `made-${lists}`]);
  };
  const afterFew = async () => {
    const names = new NamesInUse(() => time);
    for (const few of ['a', 'b', 'c']) expect(await names.mayInclude(few, list)).toBe(true);
    expect(lists).toBe(0);
    return names;
  };
  beforeEach(() => {
    lists = 0;
  });

  test('the creates after the first three share one list for a second', async () => {
    const names = await afterFew();
    const asked = ['d', 'default', 'made-1', 'made-2'].map((name) => names.mayInclude(name, list));
    expect(await Promise.all(asked)).toEqual([false, true, true, false]);
    time += 500;
    expect(await names.mayInclude('made-2', list)).toBe(false);
    expect(lists).toBe(1);
  });

  test('the next list is requested after half a second, while callers use the present one', async () => {
    const names = await afterFew();
    expect(await names.mayInclude('d', list)).toBe(false);
    let answer: (keys: readonly string[]) => void = () => {};
    const slow = () => {
      lists += 1;
      return new Promise<readonly string[]>((resolve) => (answer = resolve));
    };
    time += 501;
    const early = [names.mayInclude('new', slow), names.mayInclude('new', slow)];
    expect(await Promise.all(early)).toEqual([false, false]);
    time += 499;
    expect(await names.mayInclude('new', slow)).toBe(false);
    time += 1;
    const late = names.mayInclude('new', slow);
    answer(['new']);
    expect(await late).toBe(true);
    expect(lists).toBe(2);
  });

  test('no second list is requested while the first one is awaited', async () => {
    const names = await afterFew();
    let answer: (keys: readonly string[]) => void = () => {};
    const slow = () => {
      lists += 1;
      return new Promise<readonly string[]>((resolve) => (answer = resolve));
    };
    const first = names.mayInclude('d', slow);
    time += 10_000;
    const second = names.mayInclude('e', slow);
    answer(['e']);
    expect(await Promise.all([first, second])).toEqual([false, true]);
    expect(lists).toBe(1);
  });

  test('each object is read if a list is refused, and no further list is requested', async () => {
    const names = await afterFew();
    const refused = () => {
      lists += 1;
      return Promise.reject(new Error('permission denied'));
    };
    expect(await names.mayInclude('d', refused)).toBe(true);
    time += 10_000;
    expect(await names.mayInclude('e', refused)).toBe(true);
    expect(lists).toBe(1);
  });
});

test('three of many creates read, the others share lists, and no existing object is overwritten', async () => {
  await using stack = await startStack();
  const names = Array.from({ length: 12 }, (_, index) => `new-${index}`);
  const policies = names.map((name) => aclPolicy({ name }, name));
  const others = names.map((name) => `vaultadmin_acl_policy.${name}`).join(', ');
  const taken = aclPolicy({ name: 'taken' }, 'taken').replace(/}\s*$/, `  depends_on = [${others}]\n}\n`);
  await stack.ask('PUT', 'sys/policies/acl/taken', { policy: '# of somebody else' });

  stack.resources([...policies, taken].join('\n'));
  const { errors, requests } = await stack.run('apply');
  expect(errors.map(({ summary }) => summary)).toEqual(['ACL policy "taken" on cluster "us" already exists']);
  expect((await stack.ask('GET', 'sys/policies/acl/taken')).data?.policy).toBe('# of somebody else');
  const reads = requests.filter((request) => request.startsWith('GET sys/policies/acl/'));
  expect(reads).toHaveLength(4);
  expect(reads).toContain('GET sys/policies/acl/taken');
  const written = requests.filter((request) => request.startsWith('POST '));
  expect(written).toEqual(names.map((name) => `POST sys/policies/acl/${name}`).sort());

  // This token may not list.
  await stack.must('destroy');
  stack.resources(policies.join('\n'));
  stack.emulator.faults.inject({ path: 'sys/policies/acl', status: 403, errors: ['permission denied'] });
  const refused = await stack.must('apply');
  const readsWithout = refused.requests.filter((request) => request.startsWith('GET sys/policies/acl/'));
  expect(readsWithout).toEqual(names.map((name) => `GET sys/policies/acl/${name}`).sort());
  expect(await stack.addresses()).toHaveLength(12);
});

import fc from 'fast-check';
import { MemoryStorage } from '../../../../src/emulator/core/primitives/storage';
import { computingTime } from '../../../support/computing-time';

describe('the storage of a cluster', () => {
  it('folders are listed, and their content can be cleared', () => {
    let changes = 0;
    const storage = new MemoryStorage(() => (changes += 1));
    for (const key of ['b', 'a/x', 'a/y/z', 'ab']) storage.put(key, { key });
    expect(storage.list('')).toEqual(['a/', 'ab', 'b']);
    expect(storage.list('a/')).toEqual(['x', 'y/']);
    expect(storage.keys('a/')).toEqual(['x', 'y/z']);
    const view = storage.view('a/');
    expect([view.get('x'), view.list('y/'), view.view('y/').get('z')]).toEqual([
      { key: 'a/x' },
      ['z'],
      { key: 'a/y/z' },
    ]);
    view.put('w', 1);
    view.delete('nothing');
    expect(changes).toBe(5);
    storage.clear('a/');
    expect(storage.keys('')).toEqual(['ab', 'b']);
  });

  it('the content of a snapshot can be loaded', () => {
    const storage = new MemoryStorage();
    storage.put('a', 'b');
    const copy = new MemoryStorage(() => {
      throw new Error('loading is no change');
    });
    copy.load(storage.entries());
    expect(copy.get('a')).toBe('b');
  });

  it('lists and keys equal those of a scan of all keys, also for empty names', () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 6 });
    const action = fc.tuple(fc.constantFrom('put', 'delete', 'clear'), key);
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 30 }),
        fc.constantFrom('', 'a/', 'b/a/', '/', 'a//'),
        (actions, folder) => {
          const storage = new MemoryStorage();
          const present = new Set<string>();
          const below = (prefix: string) => [...present].filter((each) => each.startsWith(prefix));
          for (const [what, name] of actions) {
            if (what === 'put') {
              storage.put(name, 1);
              present.add(name);
            } else if (what === 'delete') {
              storage.delete(name);
              present.delete(name);
            } else {
              const prefix = name.slice(0, name.lastIndexOf('/') + 1);
              storage.clear(prefix);
              for (const each of below(prefix)) present.delete(each);
            }
          }
          const rests = below(folder).map((each) => each.slice(folder.length));
          expect(storage.keys(folder)).toEqual([...rests].sort());
          expect(storage.list(folder)).toEqual(
            [...new Set(rests.map((rest) => /^[^/]*\/?/.exec(rest)![0]))].sort(),
          );
          expect(storage.size).toBe(present.size);
        },
      ),
    );
  });

  it('the time to clear a folder depends on its content only', async () => {
    const storage = new MemoryStorage();
    for (let folder = 0; folder < 100_000; folder += 1) storage.put(`cubbyholes/${folder}/response`, 1);
    const took = await computingTime(() => {
      for (let folder = 0; folder < 100_000; folder += 1) storage.clear(`cubbyholes/${folder}/`);
    });
    // A scan of all keys for each folder would take minutes.
    expect(took).toBeLessThan(10_000);
    expect(storage.size).toBe(0);
  });
});

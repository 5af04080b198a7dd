import { MemoryStorage } from '../../../../src/emulator/core/stores/storage';

describe('storage', () => {
  it('lists folders, and clears what is below one', () => {
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

  it('is taken over from a snapshot', () => {
    const storage = new MemoryStorage();
    storage.put('a', 'b');
    const copy = new MemoryStorage(() => {
      throw new Error('loading is no change');
    });
    copy.load(storage.entries());
    expect(copy.get('a')).toBe('b');
  });
});

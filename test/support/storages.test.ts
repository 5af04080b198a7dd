import { AsyncLocalStorage } from 'node:async_hooks';

type Storage = typeof AsyncLocalStorage;
const { noteStorages } = jest.requireActual<{ noteStorages: (type: Storage) => () => void }>('./storages.js');

test('storages that were used by run() or enterWith() are disabled, and can be used again', () => {
  class Own<T> extends AsyncLocalStorage<T> {}
  const disable = noteStorages(Own);
  const [one, other] = [new Own<string>(), new Own<string>()];
  one.run('first', () => {
    other.enterWith('second');
    expect([one.getStore(), other.getStore()]).toEqual(['first', 'second']);
    disable();
    expect([one.getStore(), other.getStore()]).toEqual([undefined, undefined]);
    expect(one.run('third', () => one.getStore())).toBe('third');
  });
});

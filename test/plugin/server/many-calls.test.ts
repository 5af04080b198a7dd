import v8 from 'node:v8';
import { callCounter } from '../../../src/plugin/server/many-calls';

test('a process with many calls optimizes late, one with few as ever', () => {
  const set = jest.spyOn(v8, 'setFlagsFromString').mockImplementation(() => {});
  try {
    const countCall = callCounter();
    for (let call = 1; call < 50; call++) countCall();
    expect(set).not.toHaveBeenCalled();
    for (let call = 50; call < 200; call++) countCall();
    const known = ['20', '22', '24'].includes(process.versions.node.split('.')[0]!);
    expect(set.mock.calls).toEqual(known ? [['--interrupt-budget=1000000']] : []);
  } finally {
    set.mockRestore();
  }
});

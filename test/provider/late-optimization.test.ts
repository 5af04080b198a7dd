import v8 from 'node:v8';
import { optimizeLate } from '../../src/provider/late-optimization';

const { versions } = process;
const onNode = (node: string) =>
  Object.defineProperty(process, 'versions', { value: { ...versions, node }, configurable: true });
afterEach(() => {
  Object.defineProperty(process, 'versions', { value: versions, configurable: true });
  jest.restoreAllMocks();
});

test('sets the budget in versions of Node.js that are known to have it, and in no others', () => {
  const set = jest.spyOn(v8, 'setFlagsFromString').mockImplementation(() => {});
  for (const version of ['20.18.0', '22.1.0', '24.0.0', '18.0.0', '26.0.0', '200.0.0']) {
    onNode(version);
    optimizeLate();
  }
  expect(set.mock.calls).toEqual([1, 2, 3].map(() => ['--interrupt-budget=1000000']));
});

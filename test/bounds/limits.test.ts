import { type Limit, LIMITS } from './limits';

/** The limit that only Linux has, so that the tests on other systems leave it out. */
const IS_OF_LINUX = 'variable of the environment';

const limits = Object.entries<Limit>(LIMITS).filter(
  ([name]) => name !== IS_OF_LINUX || process.platform === 'linux',
);

test.each(limits)(
  'the largest size is accepted, and one more is refused or cut: %s',
  async (_, { most, take }) => {
    await take(most);
    await expect((async () => take(most + 1))()).rejects.toThrow();
  },
);

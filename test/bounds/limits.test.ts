import { type Limit, LIMITS } from './limits';

/** A limit that only Linux has. Tests on other systems leave it out. */
const IS_OF_LINUX = 'variable of the environment';

const limits = Object.entries<Limit>(LIMITS).filter(
  ([name]) => name !== IS_OF_LINUX || process.platform === 'linux',
);

test.each(limits)(
  'an input of the largest size is accepted, and a larger one is refused: %s',
  async (_, { most, take }) => {
    await take(most);
    await expect((async () => take(most + 1))()).rejects.toThrow();
  },
);

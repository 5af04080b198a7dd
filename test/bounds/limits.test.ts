import { type Limit, LIMITS } from './limits';

/** The system limits this one itself, and others have another limit. */
const IS_OF_LINUX = 'variable of the environment';

const limits = Object.entries<Limit>(LIMITS).filter(
  ([name]) => name !== IS_OF_LINUX || process.platform === 'linux',
);

test.each(limits)(
  '%s: the largest size is accepted, and one more is refused or cut',
  async (_, { most, take }) => {
    await take(most);
    await expect((async () => take(most + 1))()).rejects.toThrow();
  },
);

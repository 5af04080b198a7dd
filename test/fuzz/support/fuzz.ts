/**
 * Random tests. CONTRIBUTING.md describes how to run them for longer, and how to replay a failure.
 */
import fc from 'fast-check';
import { computingTime } from '../../support/computing-time';

/**
 * The time of each fuzzer, in seconds. `npm run fuzz`, which runs every night, sets a longer time.
 */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0.5);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** The path to one input, which a failure prints and a replay sets. */
const PATH = process.env.FUZZ_PATH ?? '';

/** The maximum computing time for one input in milliseconds. All inputs are small enough for it. */
const LONGEST = 2_000;
/** The seconds within which a planted fault has to be found. Usually it is found at once. */
const PATIENCE = Math.max(SECONDS, 30);
/** The additional milliseconds for starting and ending a test on a busy machine. */
const LEEWAY = 60_000;

export interface Fuzzer<Input, Subject> {
  readonly inputs: fc.Arbitrary<Input>;
  readonly subject: Subject;
  /** A subject with a planted fault, which the same inputs and the same check have to find. */
  readonly planted: Subject;
  /** Throws if the subject handles the input wrongly. */
  readonly check: (subject: Subject, input: Input) => void | Promise<void>;
}

/** Declares two tests: a planted fault is found, and the subject has no fault. */
export function fuzz<Input, Subject>(title: string, fuzzer: Fuzzer<Input, Subject>): void {
  const { inputs, subject, planted, check } = fuzzer;
  const run = (each: Subject, seconds: number) => {
    const property = fc.asyncProperty(inputs, async (input) => {
      const took = await computingTime(() => check(each, input));
      if (took > LONGEST) throw new Error(`took ${took} ms`);
    });
    return fc.check(property, {
      seed: SEED,
      path: PATH,
      numRuns: PATH === '' ? 1_000_000_000 : 1,
      // A replay ends with its input, however long that takes.
      ...(PATH === '' && { interruptAfterTimeLimit: seconds * 1_000 }),
      markInterruptAsFailure: false,
      skipEqualValues: false,
    });
  };

  // A replay has one input, which cannot show whether a planted fault is found.
  if (PATH === '') {
    test(
      `${title}: a planted fault is found`,
      async () => {
        expect((await run(planted, PATIENCE)).failed).toBe(true);
      },
      PATIENCE * 1_000 + LEEWAY,
    );
  }

  test(
    title,
    async () => {
      const first = await run(subject, SECONDS);
      // On a busy machine, the first input may take longer than SECONDS.
      const isTooEarly = first.interrupted && first.numRuns === 0;
      const result = isTooEarly ? await run(subject, PATIENCE) : first;
      if (result.failed) {
        const { errorInstance: error } = result;
        const reason = error instanceof Error ? error.stack : String(error);
        throw new Error(
          [replay(result.counterexamplePath), fc.defaultReportMessage(result), reason].join('\n'),
        );
      }
      process.stdout.write(`${title}: ${result.numRuns} inputs, seed ${SEED}\n`);
    },
    PATIENCE * 1_000 + LEEWAY,
  );
}

function replay(path: string | null): string {
  return `To replay: FUZZ_SEED=${SEED} FUZZ_PATH=${path} npx jest ${expect.getState().testPath} -t ${JSON.stringify(expect.getState().currentTestName)}`;
}

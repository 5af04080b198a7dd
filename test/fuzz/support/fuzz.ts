/**
 * Random tests. CONTRIBUTING.md describes how to run them for longer, and how to replay a failure.
 */
import fc from 'fast-check';
import { computingTime } from '../../support/computing-time';

/** The time of each fuzzer. `npm run fuzz`, which runs every night, sets a longer one. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 0.5);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** The way to one input, as a failure prints it. */
const PATH = process.env.FUZZ_PATH ?? '';

/** Milliseconds of computing for one input: none is so large that it needs more. */
const LONGEST = 2_000;
/** Seconds until a planted fault has to be found. Mostly it is at once. */
const PATIENCE = Math.max(SECONDS, 30);
/** Milliseconds for what happens around the inputs, on a machine that is busy. */
const LEEWAY = 60_000;

export interface Fuzzer<Input, Subject> {
  readonly inputs: fc.Arbitrary<Input>;
  readonly subject: Subject;
  /** A subject that is broken, on purpose: the same inputs and the same check have to find that. */
  readonly planted: Subject;
  /** Throws if the subject does something wrong with the input. */
  readonly check: (subject: Subject, input: Input) => void | Promise<void>;
}

/** Declares two tests: that a planted fault is found, and that the subject has none. */
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
      numRuns: 1_000_000_000,
      interruptAfterTimeLimit: seconds * 1_000,
      markInterruptAsFailure: false,
      skipEqualValues: false,
    });
  };

  // A replay has one input, which does not show whether a planted fault is found.
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
      const result = await run(subject, SECONDS);
      if (result.failed) {
        const { errorInstance: error } = result;
        const reason = error instanceof Error ? error.stack : String(error);
        throw new Error(
          [replay(result.counterexamplePath), fc.defaultReportMessage(result), reason].join('\n'),
        );
      }
      process.stdout.write(`${title}: ${result.numRuns} inputs, seed ${SEED}\n`);
    },
    SECONDS * 1_000 + LEEWAY,
  );
}

function replay(path: string | null): string {
  return `To replay: FUZZ_SEED=${SEED} FUZZ_PATH=${path} npx jest ${expect.getState().testPath} -t ${JSON.stringify(expect.getState().currentTestName)}`;
}

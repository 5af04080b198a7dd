import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator';
import { Api } from './api';

/** An emulator of one cluster with the root token `root`, and a client for it. */
export interface TestEmulator {
  readonly emulator: Emulator;
  readonly api: Api;
}

const started: Emulator[] = [];
afterAll(() => Promise.all(started.map((emulator) => emulator.close())));

/** Starts an emulator that is closed after the tests of the file, if no test closes it before. */
export async function startTestEmulator(options: EmulatorOptions = {}): Promise<TestEmulator> {
  const emulator = await startEmulator({ rootToken: 'root', ...options });
  started.push(emulator);
  const [cluster] = Object.values(emulator.clusters);
  return { emulator, api: new Api(cluster?.address ?? '') };
}

/** Starts one emulator for all tests of a file. */
export function useEmulator(options: EmulatorOptions = {}): () => TestEmulator {
  return useStartedBy(beforeAll, options);
}

/** Starts an emulator for each test of a file. For tests that compare everything that is stored. */
export function useNewEmulators(options: EmulatorOptions = {}): () => TestEmulator {
  return useStartedBy(beforeEach, options);
}

function useStartedBy(hook: typeof beforeEach, options: EmulatorOptions): () => TestEmulator {
  let running: TestEmulator | undefined;
  hook(async () => {
    running = await startTestEmulator(options);
  });
  return () => {
    if (running === undefined) throw new Error('the emulator runs while tests do');
    return running;
  };
}

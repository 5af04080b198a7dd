import { startEmulator, type EmulatorOptions } from '../../../../src/emulator';
import { ASSUMPTIONS, type AssumptionName } from '../../../../src/emulator/assume';
import { anonymizer } from '../../../../src/cli/verify/anonymous';
import { withScratch } from '../../../../src/cli/verify/scratch';
import { factsOf } from '../../../../src/cli/verify/server';
import { type Findings, walk } from '../../../../src/cli/verify/walk';
import { Wire } from '../../../../src/cli/verify/wire';

export const ALL = Object.keys(ASSUMPTIONS) as AssumptionName[];

/** Walks an emulator as the command walks a server, in the emulator's time. */
export async function walked(options: EmulatorOptions, names: readonly AssumptionName[]): Promise<Findings> {
  await using emulator = await startEmulator({ rootToken: 'root', ...options });
  const { address } = Object.values(emulator.clusters)[0]!;
  const server = Wire.open({ address, token: 'root' });
  const wait = async (milliseconds: number) => {
    emulator.clock.advance(milliseconds);
    await emulator.clock.settled();
  };
  try {
    const { version, names: known } = await factsOf(server);
    return await withScratch(server, { wait, note: () => {} }, (scratch) =>
      walk(
        {
          version,
          dialect: options.dialect ?? 'vault',
          server,
          scratch,
          anonymous: anonymizer(known),
          wait,
          now: () => emulator.clock.now(),
          progress: () => {},
        },
        names,
      ),
    );
  } finally {
    await server.close();
  }
}

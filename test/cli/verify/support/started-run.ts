import { type Emulator, startEmulator, type EmulatorOptions } from '../../../../src/emulator';
import { ASSUMPTIONS, type AssumptionName } from '../../../../src/emulator/assume';
import { anonymizer } from '../../../../src/cli/verify/anonymous';
import { PROBES } from '../../../../src/cli/verify/probes';
import type { Probe, Where } from '../../../../src/cli/verify/probes/probe';
import type { Unseen } from '../../../../src/cli/verify/unseen';
import { factsOf } from '../../../../src/cli/verify/run-verify';
import { ReplicationSet } from '../../../../src/cli/verify/set';
import { type FindingsByAssumption, examine } from '../../../../src/cli/verify/examine';
import { Wire } from '../../../../src/cli/verify/wire';

export const ALL = Object.keys(ASSUMPTIONS) as AssumptionName[];

/** Returns where the probe of an assumption writes; `undefined` if the assumption has no probe. */
export function whereOf(name: AssumptionName): Where | undefined {
  const probe: Probe<AssumptionName> | Unseen = PROBES[name];
  return 'where' in probe ? probe.where : undefined;
}

/**
 * An emulator on which the command's run for disposable clusters runs, on the emulator's clock.
 */
export interface StartedRun extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly set: ReplicationSet;
  see(names: readonly AssumptionName[]): Promise<FindingsByAssumption>;
  /** Runs on `us` as on a cluster that is not disposable. */
  seeUntouched(names: readonly AssumptionName[]): Promise<FindingsByAssumption>;
}

/** @param onWait called when the run waits */
export async function startRun(
  options: EmulatorOptions = {},
  onWait: (emulator: Emulator) => void = () => {},
): Promise<StartedRun> {
  const emulator: Emulator = await startEmulator({
    ...options,
    rootToken: 'root',
    clusters: { us: 0, eu: 0 },
  });
  // The clock moves only while the run waits, so that the findings do not depend on the speed of
  // the machine.
  emulator.clock.freeze();
  const open = (name: string) => Wire.open({ address: emulator.clusters[name]!.address, token: 'root' });
  const [us, eu] = [open('us'), open('eu')];
  const wait = async (milliseconds: number) => {
    onWait(emulator);
    emulator.clock.advance(milliseconds);
    await emulator.clock.settled();
  };
  const now = () => emulator.clock.now();
  const members = [
    { name: 'us', server: us },
    { name: 'eu', server: eu },
  ];
  const set = new ReplicationSet(members, { wait, now });
  const { version, names: known } = await factsOf(us);
  let isFurnished = false;
  const look = (names: readonly AssumptionName[], disposable?: ReplicationSet) =>
    examine(
      {
        version,
        dialect: options.dialect ?? 'vault',
        server: us,
        set: disposable,
        anonymous: anonymizer(known),
        wait,
        pause: wait,
        now,
        progress: () => {},
        note: () => {},
      },
      names,
    );
  return {
    emulator,
    set,
    see: async (names) => {
      if (!isFurnished && names.some((name) => ['root', 'set'].includes(whereOf(name) ?? ''))) {
        isFurnished = true;
        await set.furnish();
      }
      return look(names, set);
    },
    seeUntouched: (names) => look(names),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([us.close(), eu.close()]);
      await emulator.close();
    },
  };
}

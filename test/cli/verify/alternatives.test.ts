/** An emulator under every alternative of what is assumed: the walk finds each. */
import { ASSUMPTIONS, type Assume, type AssumptionName } from '../../../src/emulator/assume';
import { PROBES } from '../../../src/cli/verify/probes';
import type { Probe, Unseen } from '../../../src/cli/verify/probes/probe';
import { ALL, walked } from './support/walked';

const worlds = ALL.filter((name) => {
  const probe: Probe<AssumptionName> | Unseen = PROBES[name];
  return 'where' in probe && ['nowhere', 'namespace'].includes(probe.where);
}).flatMap((name) =>
  Object.keys(ASSUMPTIONS[name].alternatives).map((alternative) => [name, alternative] as const),
);

test.each(worlds)('%s=%s is found', async (name, alternative) => {
  const assume: Assume = { [name]: alternative };
  const findings = await walked({ assume }, [name]);
  expect(findings[name]).toMatchObject({
    outcome: alternative === Object.keys(ASSUMPTIONS[name].alternatives)[0] ? 'as_assumed' : 'otherwise',
    alternative,
  });
});

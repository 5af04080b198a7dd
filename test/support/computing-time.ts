/**
 * Returns the processor time of a run in milliseconds, which does not depend on how busy the
 * machine is.
 */
export async function computingTime(run: () => unknown): Promise<number> {
  const begin = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

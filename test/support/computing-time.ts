/**
 * Returns how many milliseconds of computing something takes, however busy the machine is with
 * other things.
 */
export async function computingTime(run: () => unknown): Promise<number> {
  const begin = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

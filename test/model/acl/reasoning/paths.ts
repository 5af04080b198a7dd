/** All paths of up to three segments from a small set of segments. */
export const PATHS = pathsUpTo(3, ['a', 'b', 'ab', 'abx', 'x', '', 'A']);

function pathsUpTo(length: number, segments: readonly string[]): readonly string[] {
  const longer = (paths: readonly string[]) =>
    paths.flatMap((path) => segments.map((segment) => `${path}/${segment}`));
  const all = [segments.filter((segment) => segment !== '')];
  while (all.length < length) all.push([...longer(all.at(-1)!)]);
  return all.flat();
}

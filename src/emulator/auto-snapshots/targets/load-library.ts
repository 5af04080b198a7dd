/**
 * Loads a cloud's client library. It is not a dependency of the package, since few emulators write
 * to clouds. The executable contains it instead.
 *
 * @throws Error with the command that installs it.
 */
export function loadLibrary(name: string): unknown {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be made before it is needed
    return require(name) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`this target requires the package ${name}: run npm install ${name}`);
  }
}

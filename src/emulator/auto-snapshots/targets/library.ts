/**
 * Loads a cloud's client library, which the package does not bring along: few emulators write to clouds.
 *
 * @throws Error that says how to install it.
 */
export function loadLibrary(name: string): unknown {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be made before it is needed
    return require(name) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(`the emulator needs the package ${name} for this target: run npm install ${name}`);
  }
}

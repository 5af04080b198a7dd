/** Endpoints of the server that the emulator answers with 404, and why. Paths are below `sys/`. */
export const OUT_OF_SCOPE: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'tools/*', reason: 'hashes and random bytes, which no configuration depends on' },
  { path: 'key-status', reason: 'there is no barrier key: data is stored as it is' },
  { path: 'rotate', reason: 'there is no barrier key to rotate' },
  { path: 'rekey/*', reason: 'there is one unseal key, which stays' },
  { path: 'locked-users', reason: 'nobody is locked out; the settings of mounts are stored' },
  { path: 'raw/*', reason: 'the storage has another layout than that of the server' },
  { path: 'pprof/*', reason: 'the emulator is not a Go program; use the inspector of Node.js' },
];

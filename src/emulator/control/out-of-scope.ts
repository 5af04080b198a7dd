/** Endpoints of the server that the emulator answers with 404, with the reason. */
export const OUT_OF_SCOPE: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'sys/tools/*', reason: 'hashes and random bytes, which no configuration depends on' },
  { path: 'sys/key-status', reason: 'there is no barrier key: data is stored as it is' },
  { path: 'sys/rotate', reason: 'there is no barrier key to rotate' },
  { path: 'sys/rekey/*', reason: 'there is one unseal key, which stays' },
  { path: 'sys/locked-users', reason: 'nobody is locked out; the settings of mounts are stored' },
  {
    path: 'sys/replication/dr/*',
    reason:
      'there are no disaster recovery secondaries, apart from `status`; `replication/node` makes a cluster look like one',
  },
  { path: 'sys/storage/raft/remove-peer', reason: 'the nodes of a cluster stay the same' },
  { path: 'sys/raw/*', reason: 'the storage has another layout than that of the server' },
  { path: 'sys/pprof/*', reason: 'the emulator is not a Go program; use the inspector of Node.js' },
  { path: 'identity/oidc/token/*', reason: 'no identity tokens are signed; their settings are stored' },
  { path: 'identity/mfa/method/totp/generate', reason: 'logins require no MFA; its settings are stored' },
];

import { FAULT_FIELDS } from './fault-fields';

/** A call of the control API, as `GET /emulator/v1/` and the reference show it. */
interface ControlCall {
  readonly doc: string;
  /** The descriptions of the body's fields, by name. */
  readonly body?: Readonly<Record<string, string>>;
  /**
   * Whether the call checks the names of the body's fields itself, so that they are not listed
   * here.
   */
  readonly hasOtherNames?: true;
  /** The descriptions of the query's parameters, by name. */
  readonly query?: Readonly<Record<string, string>>;
}

const KEY_STORE = 'One of `key-stores` as `GET key-stores` shows them: `TYPE/COLLECTION`.';

/**
 * All calls, by method and path below `/emulator/v1/`. A path that ends with a slash is followed by
 * a parameter.
 */
export const CONTROL_CALLS: Readonly<Record<string, ControlCall>> = {
  'GET ': {
    doc: 'Lists the calls of this API, the settings that the emulator stores without effect, and what it leaves out.',
  },
  'GET faults': { doc: 'Lists the faults that are injected, and how many requests each has hit.' },
  'POST faults': {
    doc: 'Injects a fault into the requests of this cluster. At least one effect is required. Returns its `id`.',
    body: Object.fromEntries(
      Object.entries(FAULT_FIELDS).map(([name, { description }]) => [name, description]),
    ),
  },
  'DELETE faults': { doc: 'Clears all faults.' },
  'DELETE faults/': { doc: 'Clears the fault with this id.' },
  'GET clock': { doc: 'Shows the time of all clusters, and whether it is frozen.' },
  'POST clock/advance': {
    doc: 'Moves the clock of all clusters forward, and runs everything that becomes due.',
    body: { by: 'Seconds, or a duration such as `1h30m`.' },
  },
  'POST clock/freeze': { doc: 'Stops the clock of all clusters.' },
  'POST clock/resume': { doc: 'Resumes the clock of all clusters.' },
  'GET requests': {
    doc: 'Lists the requests that this cluster answered, without tokens and bodies, and counts them.',
    query: {
      method: 'Only this method, such as `LIST`.',
      path: 'Only this path below `/v1/`; `*` is any text.',
    },
  },
  'DELETE requests': { doc: 'Forgets the requests.' },
  'POST seal': { doc: 'Seals this cluster.' },
  'POST unseal': { doc: 'Unseals this cluster, without its key.' },
  'GET page': {
    doc: 'Returns the content of the page at `/emulator/`: clusters, managed keys, snapshots, network, faults and the latest requests.',
  },
  'GET policy-failures': { doc: 'Lists the latest failures of RGPs and EGPs, advisory ones included.' },
  'GET assumptions': { doc: 'Shows the selected alternatives for behaviors that public sources leave open.' },
  'POST assumptions': {
    doc: 'Selects alternatives, by assumption.',
    body: { '<assumption>': 'The name of an alternative.' },
    hasOtherNames: true,
  },
  'GET nodes': {
    doc: 'Lists the nodes of this cluster: the active one, and the standbys that the emulator was started with.',
  },
  'POST nodes': {
    doc: 'Changes what the standbys of this cluster do. `PUT /v1/sys/step-down` makes the next node the active one.',
    body: {
      standbys_behind:
        'Whether the standbys miss the writes made from now on: they answer 412 to requests whose `X-Vault-Index` refers to one.',
      forwarding:
        'Whether the standbys forward what only the active node may do. Otherwise they redirect clients to it with 307.',
    },
  },
  'GET snapshots': { doc: 'Lists the snapshots for clouds that were recorded, not written.' },
  'GET replication': { doc: 'Shows partitions, lags and load balancers.' },
  'POST replication/partition': {
    doc: 'Cuts the network between this cluster and another.',
    body: { from: 'The name of the other cluster.' },
  },
  'POST replication/heal': {
    doc: 'Ends a partition, or all of them.',
    body: { from: 'The name of the other cluster. Default: all partitions end.' },
  },
  'POST replication/delay': {
    doc: 'Delays replication to this secondary.',
    body: { by: 'Seconds, or a duration such as `5s`.' },
  },
  'POST replication/pause': { doc: 'Pauses replication to this secondary.' },
  'POST replication/resume': { doc: 'Resumes replication to this secondary.' },
  'POST replication/load-balancer': {
    doc: 'Adds an address that leads to this cluster.',
    body: { address: 'The host and port that other clusters connect to.' },
  },
  'POST replication/node': {
    doc: 'Chooses which node of the cluster answers from now on.',
    body: { kind: 'The kind of node. An unknown one is answered with the list of kinds.' },
  },
  'POST replication/corrupt-tree': {
    doc: "Corrupts the cluster's Merkle tree until it is reindexed. The replication status shows it.",
  },
  'POST replication/crash': {
    doc: 'Crashes this cluster and starts it again from its storage.',
    body: { at: 'The replication step to crash at. Default: crashes immediately.' },
  },
  'GET key-stores': { doc: 'Shows what the HSM and the cloud services behind managed keys contain.' },
  'DELETE key-stores': { doc: 'Empties all of them.' },
  'GET key-stores/': { doc: `Shows one collection. ${KEY_STORE}` },
  'POST key-stores/': {
    doc: `Adds to one collection. ${KEY_STORE} Unknown fields are answered with those allowed.`,
    hasOtherNames: true,
  },
  'DELETE key-stores/': { doc: 'Removes from one collection: `TYPE/COLLECTION/ID`.' },
  'POST managed-keys/': {
    doc: 'Generates or stores the key material of a managed key: `TYPE/NAME/generate`, `TYPE/NAME/store`.',
    body: { private_key: 'The private key to store, in PEM.' },
    query: { namespace: 'The namespace of the managed key. Default: the root namespace.' },
  },
};

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

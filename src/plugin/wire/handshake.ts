/** The handshake between Terraform and a plugin. */

const MAGIC_COOKIE = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
};
const CORE_PROTOCOL_VERSION = 1;
export const PROTOCOL_VERSION = 6;

/** The variables that Terraform sets for the process that it starts. */
interface Greeting {
  /** Terraform's own certificate as PEM; absent without TLS. */
  readonly clientCertificate: string | undefined;
  /** The folder for the socket; absent for the folder for temporary files. */
  readonly socketFolder: string | undefined;
  /** The range of TCP ports, for systems without Unix sockets. */
  readonly ports: { readonly least: number; readonly most: number };
  /** Whether Terraform expects a field about multiplexing. */
  readonly asksForMultiplexing: boolean;
}

/** The error if the process was not started by Terraform. */
export class StartedByHandError extends Error {}

/**
 * Reads Terraform's variables.
 *
 * @throws StartedByHandError, or an Error if Terraform is too old; both are for people to read.
 */
export function readGreeting(env: NodeJS.ProcessEnv, providerName: string): Greeting {
  if (env[MAGIC_COOKIE.name] !== MAGIC_COOKIE.value) {
    throw new StartedByHandError(
      `This is the Terraform provider "${providerName}". Terraform starts it by itself, it does nothing on its own.\n` +
        `Run "terraform init" in a folder whose configuration requires the provider, then "terraform plan".`,
    );
  }
  const versions = (env.PLUGIN_PROTOCOL_VERSIONS ?? '').split(',').map(Number);
  if (!versions.includes(PROTOCOL_VERSION)) {
    throw new Error(
      `The provider "${providerName}" speaks version ${PROTOCOL_VERSION} of the plugin protocol, this Terraform only ` +
        `${env.PLUGIN_PROTOCOL_VERSIONS || 'an older one'}. Use Terraform 1.0 or later.`,
    );
  }
  return {
    clientCertificate: env.PLUGIN_CLIENT_CERT || undefined,
    socketFolder: env.PLUGIN_UNIX_SOCKET_DIR || undefined,
    ports: { least: Number(env.PLUGIN_MIN_PORT || 10_000), most: Number(env.PLUGIN_MAX_PORT || 25_000) },
    asksForMultiplexing: Boolean(env.PLUGIN_MULTIPLEX_GRPC),
  };
}

/** The address of a server. */
export interface Address {
  readonly network: 'unix' | 'tcp';
  /** The path of the socket, or host and port. */
  readonly address: string;
}

/** Returns the line that gives Terraform the address and certificate of the plugin. */
export function handshakeLine(
  greeting: Greeting,
  { network, address }: Address,
  certificate: Buffer | undefined,
) {
  const fields = [
    CORE_PROTOCOL_VERSION,
    PROTOCOL_VERSION,
    network,
    address,
    'grpc',
    // Terraform refuses the padding.
    certificate?.toString('base64').replace(/={1,2}$/, '') ?? '',
  ];
  if (greeting.asksForMultiplexing) fields.push('false');
  return fields.join('|') + '\n';
}

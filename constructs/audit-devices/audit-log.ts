import {
  AUDIT_DEVICE,
  DEFAULT_SYSLOG_FACILITY,
  type AuditDeviceBackend,
  type FieldValues,
} from '../../src/model';
import type { Duration } from '../core/duration';
import type { BackendSettings } from '../private/backend-settings';

/** A file on every node of the cluster. */
export interface FileAuditLogProps {
  /** The path of the file; `stdout` for standard output. */
  readonly filePath: string;

  /**
   * The permissions of the file, in octal digits.
   *
   * @default '0600'
   */
  readonly mode?: string;
}

/** The syslog agent of every node. */
export interface SyslogAuditLogProps {
  /**
   * The syslog facility.
   *
   * @default 'AUTH'
   */
  readonly facility?: string;

  /**
   * The syslog tag.
   *
   * @default 'vault'
   */
  readonly tag?: string;
}

/** The type of a socket. */
export enum AuditSocketType {
  TCP = 'tcp',
  /** Entries may be lost without notice. */
  UDP = 'udp',
  UNIX = 'unix',
}

/** A socket. */
export interface SocketAuditLogProps {
  /** The address: `127.0.0.1:9090`, or the path of a UNIX socket. */
  readonly address: string;

  /**
   * The type of the socket.
   *
   * @default AuditSocketType.TCP
   */
  readonly socketType?: AuditSocketType;

  /**
   * How long a write may take.
   *
   * @default - two seconds
   */
  readonly writeTimeout?: Duration;
}

/** Where an audit device writes its entries. */
export class AuditLog {
  /** Appends entries to a file. */
  public static file(props: FileAuditLogProps): AuditLog {
    return new AuditLog(AUDIT_DEVICE.backends.file, { file_path: props.filePath, mode: props.mode });
  }

  /** Sends entries to the syslog agent of the machine. */
  public static syslog(props: SyslogAuditLogProps = {}): AuditLog {
    // The framework leaves out a block without arguments.
    const { facility = DEFAULT_SYSLOG_FACILITY, tag } = props;
    return new AuditLog(AUDIT_DEVICE.backends.syslog, { facility, tag });
  }

  /** Writes entries to a TCP, UDP or UNIX socket. */
  public static socket(props: SocketAuditLogProps): AuditLog {
    return new AuditLog(AUDIT_DEVICE.backends.socket, {
      address: props.address,
      socket_type: props.socketType,
      write_timeout: props.writeTimeout?.toString(),
    });
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  private constructor(
    /** @internal */
    public readonly _backend: AuditDeviceBackend,
    fields: FieldValues,
  ) {
    this._settings = { definition: _backend.definition, fields, secrets: {}, secretsVersion: 1 };
  }
}

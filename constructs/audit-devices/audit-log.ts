import { brand } from '../private/brand';
import {
  AUDIT_DEVICE,
  DEFAULT_SYSLOG_FACILITY,
  type AuditDeviceBackend,
  type FieldValues,
} from '../../src/model';
import type { Duration } from '../core/duration';
import type { BackendSettings } from '../private/backend-settings';
import { checkObject } from '../private/expectations';
import type { LateProp } from '../private/late-values';
import { lateProps } from '../private/string-props';

/** The properties of a file on every node of the cluster. */
export interface FileAuditLogProps {
  /** The path of the file, or `stdout` for standard output. */
  readonly filePath: string;

  /**
   * The permissions of the file, in octal digits.
   *
   * @default '0600'
   */
  readonly mode?: string | undefined;
}

/** The properties of the log of a syslog agent. */
export interface SyslogAuditLogProps {
  /**
   * The syslog facility.
   *
   * @default 'AUTH'
   */
  readonly facility?: string | undefined;

  /**
   * The syslog tag.
   *
   * @default 'vault'
   */
  readonly tag?: string | undefined;
}

/** The type of a socket. */
export enum AuditSocketType {
  TCP = 'tcp',
  /** Entries may be lost without notice. */
  UDP = 'udp',
  /** A UNIX domain socket on the machine of the server. */
  UNIX = 'unix',
}

/** The properties of a socket. */
export interface SocketAuditLogProps {
  /** The address, such as `127.0.0.1:9090`, or the path of a UNIX socket. */
  readonly address: string;

  /**
   * The type of the socket.
   *
   * @default AuditSocketType.TCP
   */
  readonly socketType?: AuditSocketType | undefined;

  /**
   * The maximum time of a write.
   *
   * @default Duration.seconds(2)
   */
  readonly writeTimeout?: Duration | undefined;
}

/** Where an audit device writes its entries. */
export class AuditLog {
  /** A file on every node of the cluster. */
  public static file(props: FileAuditLogProps): AuditLog {
    checkObject('AuditLog.file', 'FileAuditLogProps', props, {});
    return new AuditLog(
      AUDIT_DEVICE.backends.file,
      { file_path: props.filePath, mode: props.mode },
      lateProps('FileAuditLogProps', props),
    );
  }

  /** The syslog agent of every node. */
  public static syslog(props: SyslogAuditLogProps = {}): AuditLog {
    checkObject('AuditLog.syslog', 'SyslogAuditLogProps', props, {});
    // The framework leaves out a block without arguments.
    const { facility = DEFAULT_SYSLOG_FACILITY, tag } = props;
    return new AuditLog(
      AUDIT_DEVICE.backends.syslog,
      { facility, tag },
      lateProps('SyslogAuditLogProps', props),
    );
  }

  /** A TCP, UDP or UNIX socket. */
  public static socket(props: SocketAuditLogProps): AuditLog {
    checkObject('AuditLog.socket', 'SocketAuditLogProps', props, {});
    return new AuditLog(
      AUDIT_DEVICE.backends.socket,
      {
        address: props.address,
        socket_type: props.socketType,
        write_timeout: props.writeTimeout?.toString(),
      },
      lateProps('SocketAuditLogProps', props),
    );
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  private constructor(
    /** @internal */
    public readonly _backend: AuditDeviceBackend,
    fields: FieldValues,
    late: readonly LateProp[],
  ) {
    brand(this, 'AuditLog');
    this._settings = { definition: _backend.definition, fields, secrets: {}, late, secretsVersion: 1 };
  }
}

import type { Message } from '../../model/messages';
import type { ClientOptions } from '../../client';
import type { UnknownPolicySyntax } from '../../model';
import type { ClusterSettingValues } from '../../model/clusters';

/** A login that returns a token. */
export interface LoginSettings {
  /** The path of the login below `/v1/`: `auth/approle/login`. */
  readonly path: string;
  /**
   * The full path of the login's namespace; empty for the root namespace. Absent: the namespace of
   * the cluster.
   */
  readonly namespace?: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The path at which the `secret_id` was wrapped. Absent: it is not wrapped. */
  readonly secretIdWrappingPath?: string;
}

/**
 * The settings of a cluster from one source: the configuration, or a set of environment variables.
 */
export interface Layer {
  readonly values: ClusterSettingValues;
  readonly login?: LoginSettings;
}

/** The settings of one cluster, before it is used. */
export interface ClusterSettings {
  readonly name: string;
  readonly options: ClientOptions;
  /** The sources of the options, for messages. Absent: messages do not name them. */
  readonly settingNames?: ClientOptions['settingNames'];
  readonly login?: LoginSettings;
  /**
   * Whether the plan or the apply reports missing rights of the token as an error. Absent: the
   * apply.
   */
  readonly checkRights?: 'apply' | 'apply_only' | 'plan';
  /** Whether unknown syntax of policies is an error. Absent: it depends on the server's version. */
  readonly unknownPolicySyntax?: UnknownPolicySyntax;
  /** Whether the token may come from the file that `vault login` writes. */
  readonly usualTokenFile: boolean;
  /**
   * Attributes that Terraform knows only after an apply. A cluster with one of them cannot be used
   * yet.
   */
  readonly unknown: readonly string[];
}

/** Reports the errors in the settings of one cluster. */
export type Report = (problem: Message['summary'], rest: Omit<Message, 'summary'>) => void;

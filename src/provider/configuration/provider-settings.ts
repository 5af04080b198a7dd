import type { Message } from '../../model/messages';
import type { ClientOptions } from '../../client';
import type { UnknownPolicySyntax } from '../../model';
import type { ClusterSettingValues } from '../../model/clusters';

/** How to log in for a token. */
export interface LoginSettings {
  /** Below `/v1/`: `auth/approle/login`. */
  readonly path: string;
  /** Full path; empty for the root namespace. Absent: that of the cluster. */
  readonly namespace?: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Where the `secret_id` was wrapped. Absent: it is not wrapped. */
  readonly secretIdWrappingPath?: string;
}

/**
 * The settings of a cluster from one source: the configuration, or a set of environment variables.
 */
export interface Layer {
  readonly values: ClusterSettingValues;
  readonly login?: LoginSettings;
}

/** All that is known of one cluster before it is used. */
export interface ClusterSettings {
  readonly name: string;
  readonly options: ClientOptions;
  /** The places from which the options come, for messages. Absent: not told. */
  readonly settingNames?: ClientOptions['settingNames'];
  readonly login?: LoginSettings;
  /** When a token without rights is an error: by default at apply. */
  readonly checkRights?: 'apply' | 'plan';
  /** Absent: it depends on the server. */
  readonly unknownPolicySyntax?: UnknownPolicySyntax;
  /** Whether a token may come from the file in which the product's command line leaves it. */
  readonly usualTokenFile: boolean;
  /**
   * Attributes that Terraform knows only after an apply. With any of them the cluster cannot be
   * used yet.
   */
  readonly unknown: readonly string[];
}

/** Reports what is wrong with the settings of one cluster. */
export type Report = (problem: Message['summary'], rest: Omit<Message, 'summary'>) => void;

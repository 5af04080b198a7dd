import { Token } from 'cdktf';
import type { AclRuleSource } from '../../src/model';
import { noPaths, pathsKnownToTerraformOnly, valuesKnownToTerraformOnly } from '../private/messages';
import { guardLateValues, hasTokenThatIsNoText, patternValue, type GuardedRule } from './private/late-values';

/** What a policy statement permits on its paths. Interface section 4.2. */
export enum Capability {
  /** Refuses everything, whatever other statements permit. */
  DENY = 'deny',
  /** Write where nothing is yet. */
  CREATE = 'create',
  /** Read what is there. */
  READ = 'read',
  /** Write where something is already; most calls that act on something need it. */
  UPDATE = 'update',
  /** Delete what is there. */
  DELETE = 'delete',
  /** List names; policies do not filter them. */
  LIST = 'list',
  /** Reach paths that are protected by the server, in addition to another capability. */
  SUDO = 'sudo',
  /** Change parts of what is there. */
  PATCH = 'patch',
  /** Receive events. */
  SUBSCRIBE = 'subscribe',
  /** Recover from a snapshot. */
  RECOVER = 'recover',
}

export interface PolicyStatementProps {
  /**
   * The paths the statement is about, without `/v1/`.
   *
   * A final `*` stands for any suffix, a segment `+` for any one segment. In a value that only Terraform knows they are
   * refused, unless it comes from {@link PolicyStatement.pattern}.
   */
  readonly paths: string[];

  /** What is permitted on the paths. */
  readonly capabilities: Capability[];

  /**
   * Parameters that requests may have, each with the values it may have; no values stand for any value. `*` stands
   * for every other parameter.
   *
   * @default - any parameter
   */
  readonly allowedParameters?: { [name: string]: unknown[] };

  /**
   * Parameters that requests may not have, each with the values it may not have; no values stand for any value.
   *
   * @default - none is denied
   */
  readonly deniedParameters?: { [name: string]: unknown[] };

  /**
   * Parameters that requests must have.
   *
   * @default - none is required
   */
  readonly requiredParameters?: string[];

  /**
   * The least TTL of the response wrapping that requests must ask for, as a duration: `90s`, `1h`.
   *
   * @default - wrapping is not asked for
   */
  readonly minWrappingTtl?: string;

  /**
   * The greatest TTL of the response wrapping that requests must ask for, as a duration: `90s`, `1h`.
   *
   * @default - wrapping is not asked for
   */
  readonly maxWrappingTtl?: string;

  /**
   * Written above the statement in the policy.
   *
   * @default - no comment
   */
  readonly comment?: string;
}

/** One statement of an ACL policy: what may be done on some paths. Interface sections 2.2 and 4.2. */
export class PolicyStatement {
  /**
   * Lets `*`, `+` and `{{…}}` of a value that only Terraform knows mean in a path or parameter what they mean in text.
   * Whoever sets the value then chooses what the statement is about.
   *
   * @param value such as `prefix.stringValue`, to be put into a path.
   */
  public static pattern(value: string): string {
    return patternValue(value);
  }

  private readonly rules: readonly GuardedRule[];

  /** @throws Error where there is no path, or how many there are is for Terraform to know. */
  constructor(props: PolicyStatementProps) {
    if (Token.isUnresolved(props.paths)) throw pathsKnownToTerraformOnly();
    if (props.paths.length === 0) throw noPaths();
    const { paths, comment, ...permission } = props;
    if (hasTokenThatIsNoText(permission)) throw valuesKnownToTerraformOnly();
    this.rules = paths.map((path, index) =>
      guardLateValues({
        path,
        ...permission,
        capabilities: [...permission.capabilities],
        comment: index === 0 ? comment : undefined,
      }),
    );
  }

  /**
   * The statement as rules of the model, one for each path.
   *
   * @internal
   */
  public _rules(): readonly AclRuleSource[] {
    return this.rules.map(({ rule }) => rule);
  }

  /**
   * Conditions for Terraform to check: they hold if no value that only it knows widens the statement.
   *
   * @internal
   */
  public get _conditions(): readonly string[] {
    return this.rules.flatMap(({ conditions }) => conditions);
  }
}

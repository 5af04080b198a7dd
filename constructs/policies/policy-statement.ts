import { Token } from 'cdktf';
import type { AclControlGroupFactor, AclRuleSource } from '../../src/model';
import type { Duration } from '../core/duration';
import { checkObject, checkProps, list } from '../private/expectations';
import { brand } from '../private/brand';
import { isUnknown } from '../private/known';
import {
  capabilitiesKnownToTerraformOnly,
  noPaths,
  pathsKnownToTerraformOnly,
  valuesKnownToTerraformOnly,
} from '../private/messages';
import type { Capability } from './capability';
import type { ControlGroup, ControlGroupFactor } from './control-group';
import { patternValue, type Condition } from '../private/late-values';
import { guardLateValues, hasTokenThatIsNoText, type GuardedRule } from './private/late-values';
import { phrase, property } from '../../src/model/messages';

const PATHS = list('a list of paths', "'secret/data/app/*'");
const CAPABILITIES = list('a list of capabilities', 'Capability.READ');
const FACTORS = list('a list of factors', "{ name: 'managers', groupNames: ['managers'] }");
const REQUIRED = { paths: PATHS, capabilities: CAPABILITIES };

/** The properties of a policy statement. */
export interface PolicyStatementProps {
  /**
   * The paths that the statement applies to, without `/v1/`.
   *
   * A `*` at the end matches any suffix, a segment `+` matches any one segment. A value that only
   * Terraform knows is one or more whole segments, or a part of one, without `*` and `+`. It may
   * not be beside a `*` or `+`, unless it comes from {@link PolicyStatement.pattern}.
   */
  readonly paths: string[];

  /** The capabilities granted on the paths. */
  readonly capabilities: Capability[];

  /**
   * The parameters that requests may have, each with the values allowed.
   *
   * An empty list allows any value. The name `*` matches every other parameter.
   *
   * @default - all parameters are allowed
   */
  readonly allowedParameters?: { [name: string]: unknown[] } | undefined;

  /**
   * The parameters that requests may not have, each with the values denied.
   *
   * An empty list denies any value.
   *
   * @default - no parameter is denied
   */
  readonly deniedParameters?: { [name: string]: unknown[] } | undefined;

  /**
   * The parameters that requests must have.
   *
   * @default - no parameter is required
   */
  readonly requiredParameters?: string[] | undefined;

  /**
   * The shortest TTL of the response wrapping that requests have to ask for.
   *
   * @default - wrapping is not required
   */
  readonly minWrappingTtl?: Duration | undefined;

  /**
   * The longest TTL of the response wrapping that requests have to ask for.
   *
   * @default - wrapping is not required
   */
  readonly maxWrappingTtl?: Duration | undefined;

  /**
   * The authorizations that requests need before the server carries them out. It needs an
   * enterprise edition.
   *
   * @default - requests are carried out at once
   */
  readonly controlGroup?: ControlGroup | undefined;

  /**
   * The names of the MFA methods that requests have to pass, each of them. It needs an enterprise
   * edition.
   *
   * @default - no MFA
   */
  readonly mfaMethods?: string[] | undefined;

  /**
   * The types of events that `Capability.SUBSCRIBE` is limited to, such as `kv-v2/data-write`. A
   * `*` matches any part.
   *
   * @default - events of every type
   */
  readonly subscribeEventTypes?: string[] | undefined;

  /**
   * A comment to write above the statement in the policy.
   *
   * @default - no comment
   */
  readonly comment?: string | undefined;
}

/**
 * A statement of an ACL policy: the capabilities granted on some paths, and the conditions of the
 * grant.
 */
export class PolicyStatement {
  /**
   * Returns a value, known only to Terraform, in which `*`, `+`, `/` and `{{…}}` have their special
   * meaning, as they have in text. The value then determines which paths the statement, or an
   * `EgpPolicy`, covers.
   *
   * @param value such as `prefix.stringValue`, to be put into a path.
   */
  public static pattern(value: string): string {
    return patternValue(value);
  }

  private readonly rules: readonly GuardedRule[];

  /** @throws Error if there is no path, or if only Terraform knows how many there are. */
  constructor(props: PolicyStatementProps) {
    brand(this, 'PolicyStatement');
    checkObject('PolicyStatement', 'PolicyStatementProps', props, REQUIRED);
    if (Token.isUnresolved(props.paths)) throw pathsKnownToTerraformOnly();
    if (props.paths.length === 0) throw noPaths();
    const { paths, comment, ...permission } = props;
    const { minWrappingTtl, maxWrappingTtl, controlGroup } = permission;
    const source = {
      ...permission,
      capabilities: [...permission.capabilities],
      minWrappingTtl: minWrappingTtl?.toString(),
      maxWrappingTtl: maxWrappingTtl?.toString(),
      controlGroup: controlGroup && controlGroupSource(controlGroup),
    };
    if (hasTokenThatIsNoText(source)) throw valuesKnownToTerraformOnly();
    const controlled = source.controlGroup?.factors.flatMap((factor) => factor.controlledCapabilities) ?? [];
    if (isUnknown([...source.capabilities, ...controlled])) throw capabilitiesKnownToTerraformOnly();
    this.rules = paths.map((path, index) =>
      guardLateValues({ path, ...source, comment: index === 0 ? comment : undefined }),
    );
  }

  /**
   * Returns the statement as rules of the model, one for each path.
   *
   * @internal
   */
  public _rules(): readonly AclRuleSource[] {
    return this.rules.map(({ rule }) => rule);
  }

  /**
   * The conditions that Terraform has to check. They are true if no late value widens the
   * statement.
   *
   * @internal
   */
  public get _conditions(): readonly Condition[] {
    return this.rules.flatMap(({ conditions }) => conditions);
  }
}

function controlGroupSource(controlGroup: ControlGroup): AclRuleSource['controlGroup'] {
  checkProps(
    phrase`PolicyStatement:
    ${property('controlGroup')}`,
    controlGroup,
    { factors: FACTORS },
  );
  const { factors, ttl } = controlGroup;
  return { ttl: ttl?.toString(), factors: factors.map(factorSource) };
}

function factorSource(factor: ControlGroupFactor): AclControlGroupFactor {
  const { name, groupNames = [], groupIds = [], approvals = 1, controlledCapabilities = [] } = factor;
  return { name, groupNames, groupIds, approvals, controlledCapabilities };
}

import { patternValue } from '../private/late-values';

/**
 * Values that only Terraform knows: variables, attributes of resources, `${…}` in a text. Terraform
 * checks them before it uses them in paths, names, prefixes, namespaces and addresses: they must
 * not change what the text around them says.
 */
export class LateValue {
  /**
   * Returns a value that Terraform inserts without a check, such as a whole path of a directory.
   * The value then determines what the text means.
   *
   * @param value such as `directory.stringValue`.
   */
  public static trust(value: string): string {
    return patternValue(value);
  }
}

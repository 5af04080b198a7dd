import type { TerraformElement } from 'cdktf';
import type { Construct } from 'constructs';
import { objectTitle, type FieldValues } from '../../../src/model';
import type { BackendSettings } from '../../private/backend-settings';
import { namespaceProblems, problemsOf } from '../../private/checks';
import { recordWriter, type ObjectLocation } from './written-objects';
import { endOfApp, refuseConstruct } from '../../private/report';
import { isUnknown } from '../../private/known';
import { property, propName } from '../../../src/model/messages';
import { watchVariables } from '../../private/secret-sources';
import { plainTextProblems, watchSecrets, type GivenSecret } from '../../private/secrets';

/**
 * Checks an object with a backend, and reserves its name on its cluster.
 *
 * @param reference the method for an object that is managed elsewhere: `fromPolicyName`.
 * @param fields the fields besides those of the backend and the name.
 * @returns a function that checks the object's secrets in their resource.
 * @throws Error for a secret in plain text.
 */
export function declareObject(
  construct: Construct,
  settings: BackendSettings,
  place: ObjectLocation,
  reference: string,
  fields: FieldValues,
): (resource: TerraformElement) => void {
  const { definition, secrets } = settings;
  const title = objectTitle(definition, isUnknown(place.name) ? undefined : place.name);
  const given: GivenSecret[] = Object.entries(secrets).map(([name, value]) => {
    const elsewhere = definition.fields[name]?.required ? undefined : 'the environment of the server';
    return { name, title: property(propName(name)), value, elsewhere };
  });

  const exposed = plainTextProblems(title, given);
  const problems = [
    ...problemsOf(construct, definition, { name: place.name, ...fields, ...settings.fields, ...secrets }),
    ...namespaceProblems(title, place.namespace),
    ...exposed,
  ];
  // The app ends here, so that a secret in plain text does not become part of the stack.
  if (exposed.length > 0) throw endOfApp(construct, problems);
  refuseConstruct(construct, problems);
  recordWriter(construct, definition, place, reference);

  return (resource) => {
    watchSecrets(resource, title, given);
    watchVariables(resource, title, given);
  };
}

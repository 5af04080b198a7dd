import { route, type MountContext, type Route } from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import { deletedAt } from './data';
import { automaticDeletion, withVersions } from './secret';
import { mountSettings, versionedSecrets, type Secret, type Version } from './storage';

/** Routes that delete, undelete and destroy versions by number. */
export function versionRoutes(context: MountContext): Route[] {
  const { storage, clock } = context;
  return [
    versionRoute(context, 'delete', 'No version number provided', () => deletedAt(clock.now())),
    versionRoute(context, 'undelete', 'No version number provided', (secret) => (version) => ({
      ...version,
      deletedAt: automaticDeletion(secret, mountSettings(storage), clock.now()),
    })),
    versionRoute(context, 'destroy', 'no version number provided', () => (version) => ({
      ...version,
      destroyed: true,
      data: null,
    })),
  ];
}

function versionRoute(
  { storage }: MountContext,
  verb: string,
  withoutVersions: string,
  change: (secret: Secret) => (version: Version) => Version,
): Route {
  const secrets = versionedSecrets(storage);
  return route({
    pattern: `${verb}/*path`,
    fields: {
      path: { type: 'string', path: true, description: 'Location of the secret.' },
      versions: {
        type: 'comma_integer_list',
        default: [],
        description: `The numbers of the versions to ${verb}.`,
      },
    },
    operations: {
      update: ({ data: { path, versions } }) => {
        if (versions.length === 0) throw invalidRequest(withoutVersions);
        const secret = secrets.get<Secret>(path);
        if (secret !== undefined) secrets.put(path, withVersions(secret, versions, change(secret)));
      },
    },
    help: { synopsis: `The way to ${verb} versions of a secret by number.` },
  });
}

import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, NullableText } from '../../http/parameters/types.js'

const fields = {
  id: Type.Integer({ description: 'ID of the key' }),
  title: Type.String({ description: 'Title of the key' }),
  key: Type.String({ description: 'Public key in the OpenSSH format' }),
  fingerprint: Type.String({ description: 'MD5 fingerprint as aa:bb:…' }),
  fingerprint_sha256: Type.String({ description: 'SHA-256 fingerprint as SHA256:…' }),
  created_at: Type.String({ description: 'Time of creation, ISO 8601 UTC' }),
  expires_at: described(NullableText, 'Expiry time, ISO 8601 UTC; null if it does not expire'),
}

/** A deploy key as shown in one project (API, C5). */
export const DeployKey = Type.Object({
  ...fields,
  can_push: Type.Boolean({ description: 'Whether the key is also intended for pushes to the project' }),
})
export type DeployKey = Static<typeof DeployKey>

const KeyProject = Type.Object({
  id: Type.Integer({ description: 'ID of the project' }),
  description: described(NullableText, 'Description of the project; null if there is none'),
  name: Type.String({ description: 'Name of the project' }),
  name_with_namespace: Type.String({
    description: 'Names of its groups and of the project, as `Team / App`',
  }),
  path: Type.String({ description: 'Path of the project, without its namespace' }),
  path_with_namespace: Type.String({ description: 'Full path of the project' }),
  created_at: Type.String({ description: 'Time of creation of the project, ISO 8601 UTC' }),
})

/** A deploy key as shown to administrators. */
export const InstanceDeployKey = Type.Object({
  ...fields,
  projects_with_write_access: Type.Array(KeyProject, {
    description: 'Projects to which the key is intended to push',
  }),
  projects_with_readonly_access: Type.Array(KeyProject, {
    description: 'Projects from which the key is intended to read',
  }),
})
export type InstanceDeployKey = Static<typeof InstanceDeployKey>

const title = Type.String({ minLength: 1, maxLength: 255, description: 'Title of the key' })
const canPush = Type.Optional(
  Type.Boolean({ description: 'Whether the key is also intended for pushes to the project; default false' }),
)

export const NewDeployKey = Type.Object({
  title,
  key: Type.String({ minLength: 1, maxLength: 16_384, description: 'Public key in the OpenSSH format' }),
  can_push: canPush,
  expires_at: Type.Optional(
    described(DateTime(), 'Expiry time, ISO 8601; by default the key does not expire'),
  ),
})
export type NewDeployKey = Static<typeof NewDeployKey>

export const ListAllKeys = Type.Object({
  public: Type.Optional(
    Type.Boolean({ description: 'Whether to list only keys that are open to all projects; no key is' }),
  ),
})

const Id = Type.Integer({ description: 'ID of the key' })
export const DeployKeyId = Type.Object({ key_id: Id })
export const EditDeployKey = Type.Object({ key_id: Id, title: Type.Optional(title), can_push: canPush })
export type EditDeployKey = Static<typeof EditDeployKey>

import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { DateTime, NullableText } from '../../http/parameters/types.js'

const fields = {
  id: Type.Integer({ description: 'Number of the key' }),
  title: Type.String({ description: 'What people call it' }),
  key: Type.String({ description: 'The public key, as OpenSSH writes it' }),
  fingerprint: Type.String({ description: 'MD5 of the key as aa:bb:…' }),
  fingerprint_sha256: Type.String({ description: 'SHA-256 of the key as SHA256:…' }),
  created_at: Type.String({ description: 'When it was added, ISO 8601 UTC' }),
  expires_at: described(NullableText, 'When it ends, ISO 8601 UTC; null = never'),
}

/** A key as one project sees it (API, C5). */
export const DeployKey = Type.Object({
  ...fields,
  can_push: Type.Boolean({ description: 'Whether it is meant for pushing to the project as well' }),
})
export type DeployKey = Static<typeof DeployKey>

const KeyProject = Type.Object({
  id: Type.Integer({ description: 'Number of the project' }),
  name: Type.String({ description: 'Name of the project' }),
  path: Type.String({ description: 'Last part of its path' }),
  path_with_namespace: Type.String({ description: 'Its whole path' }),
})

/** A key as administrators see it. */
export const InstanceDeployKey = Type.Object({
  ...fields,
  projects_with_write_access: Type.Array(KeyProject, {
    description: 'Projects that it is meant for pushing to',
  }),
  projects_with_readonly_access: Type.Array(KeyProject, {
    description: 'Projects that it is meant for reading',
  }),
})
export type InstanceDeployKey = Static<typeof InstanceDeployKey>

const title = Type.String({ minLength: 1, maxLength: 255, description: 'What people call it' })
const canPush = Type.Optional(
  Type.Boolean({ description: 'Whether it is meant for pushing to the project as well; default false' }),
)

export const NewDeployKey = Type.Object({
  title,
  key: Type.String({ minLength: 1, maxLength: 16_384, description: 'The public key, as OpenSSH writes it' }),
  can_push: canPush,
  expires_at: Type.Optional(described(DateTime(), 'When it ends, ISO 8601; default never')),
})
export type NewDeployKey = Static<typeof NewDeployKey>

const Id = Type.Integer({ description: 'Number of the key' })
export const DeployKeyId = Type.Object({ key_id: Id })
export const EditDeployKey = Type.Object({ key_id: Id, title: Type.Optional(title), can_push: canPush })
export type EditDeployKey = Static<typeof EditDeployKey>

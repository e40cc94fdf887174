import { Type } from 'typebox'

import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import { addKey, type DeployKeyDeps } from './deploy-keys.js'
import { NewDeployKey } from './schema.js'

const { title, key, can_push, expires_at } = NewDeployKey.properties
const Transferred = Type.Object({ title, key, can_push, expires_at })

/** Import and export of deploy keys (public keys only). */
export function deployKeyPart(deps: DeployKeyDeps): TransferPart {
  return transferPart({
    name: 'deploy_keys',
    schema: Transferred,
    read: async function* ({ id }) {
      for await (const { title, key, can_push, expires_at } of keysOf(deps, id)) {
        yield { title, key, can_push, expires_at: isoTimeOrNull(expires_at) ?? undefined }
      }
    },
    identityOf: ({ key }) => key,
    write: ({ project, importer }, key) => addKey(deps, project, importer, key),
  })
}

function keysOf({ database }: DeployKeyDeps, projectId: number) {
  return inPages(
    database
      .selectFrom('deploy_key')
      .innerJoin('deploy_key_project as enabled', 'enabled.deploy_key_id', 'deploy_key.id')
      .selectAll('deploy_key')
      .select('enabled.can_push')
      .where('enabled.project_id', '=', projectId),
    'deploy_key',
  )
}

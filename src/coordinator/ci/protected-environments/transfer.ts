import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { optional } from '../../http/parameters/described.js'
import { entriesOf } from '../engine/deployments/protection/find-protections.js'
import { ENTRY_LEVELS } from '../engine/deployments/protection/fits-entry.js'
import { protectEnvironment } from './protected-environments.js'
import { MAX_APPROVALS, ProjectParameters } from './schema.js'
import { rulesOf } from './store.js'

const { name } = ProjectParameters.One.properties
const Transferred = Type.Object({
  name,
  deploy_access_levels: Type.Array(Type.Integer()),
  approval_rules: Type.Array(
    Type.Object({
      access_level: Type.Integer(),
      required_approvals: Type.Integer({ minimum: 1, maximum: MAX_APPROVALS }),
    }),
  ),
  required_approval_count: optional(
    Type.Integer({ minimum: 0, maximum: MAX_APPROVALS }),
    'Approvals by deployers.',
  ),
})

/**
 * Protected environments, but only entries that name roles, because users and groups differ between
 * instances. If only users or groups could deploy, administrators can after the import. Approvals that only
 * they could give become approvals by administrators.
 */
export function protectedEnvironmentPart(database: Database): TransferPart {
  return transferPart({
    name: 'protected_environments',
    schema: Transferred,
    read: async function* ({ id }) {
      const rules = rulesOf(database, { kind: 'project', id }).selectAll()
      for await (const rule of inPages(rules, 'protected_environment')) {
        const entries = await entriesOf(database, [rule.id])
        const deployers = entries.filter(({ kind }) => kind === 'deploy')
        const levels = deployers.flatMap(({ access_level }) => access_level ?? [])
        yield {
          name: rule.name,
          deploy_access_levels: levels.length > 0 ? levels : [ENTRY_LEVELS.administrator],
          approval_rules: entries
            .filter(({ kind }) => kind === 'approve')
            .map(({ access_level, required_approvals }) => ({
              access_level: access_level ?? ENTRY_LEVELS.administrator,
              required_approvals,
            })),
          required_approval_count: rule.required_approval_count,
        }
      }
    },
    identityOf: ({ name }) => name,
    write: ({ project }, { deploy_access_levels, ...rule }) =>
      protectEnvironment(
        database,
        { kind: 'project', id: project.id },
        { ...rule, deploy_access_levels: deploy_access_levels.map((access_level) => ({ access_level })) },
      ),
  })
}

import { Type } from 'typebox'

import { inPages } from '../../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../../http/archive-part.js'
import { NEVER_CALLED } from '../../../integrations/webhooks/hook-health.js'
import { branchesOfChecks, statusChecksOf } from '../../stores/status-check-store.js'
import { BranchPatterns, namedBranches } from '../../transfer/named-branches.js'
import { createCheck, type StatusCheckDeps } from './checks.js'
import { receiversOf, shownToDevelopers } from './present.js'
import { CreateStatusCheck } from './schema.js'

const Transferred = Type.Object({
  name: CreateStatusCheck.properties.name,
  external_url: CreateStatusCheck.properties.external_url,
  protected_branches: BranchPatterns,
})

/**
 * Export and import of status checks, without shared secrets, credentials and the query of the address. The service of an
 * imported check is not called until a maintainer edits the check, as a webhook.
 */
export function statusCheckPart(deps: StatusCheckDeps): TransferPart {
  const { database } = deps
  return transferPart({
    name: 'external_status_checks',
    schema: Transferred,
    read: async function* ({ id: projectId }) {
      const rows = inPages(statusChecksOf(database, projectId).selectAll(), 'external_status_check')
      for await (const { id, name } of rows) {
        const external_url = (await receiversOf(deps, [id])).get(id)?.url ?? ''
        const branches = (await branchesOfChecks(database, [id])).get(id) ?? []
        yield shownToDevelopers({
          name,
          external_url,
          protected_branches: branches.map((branch) => branch.name),
        })
      }
    },
    identityOf: ({ name }) => name,
    write: async ({ project }, { name, external_url, protected_branches }) => {
      const protected_branch_ids = await namedBranches(database, project.id, protected_branches)
      await createCheck(deps, project, { name, external_url, protected_branch_ids }, NEVER_CALLED)
    },
  })
}

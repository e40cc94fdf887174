import type { Project } from '../../../access/caller.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { deleteDependents } from '../../../database/delete-in-steps.js'
import { lockPresentProject } from '../../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import type { EgressClient } from '../../../egress/egress-client.js'
import { apiError, invalidRecord, notFound } from '../../../http/errors.js'
import { checkUrl } from '../../../integrations/webhooks/check-url.js'
import type { Health } from '../../../integrations/webhooks/hook-health.js'
import { setHookOfStatusCheck } from '../../../integrations/webhooks/status-check-hooks.js'
import {
  deleteStatusCheckRow,
  findStatusCheck,
  insertStatusCheck,
  protectedBranchesAmong,
  setBranchesOfCheck,
  type StatusCheckRow,
  statusChecksOf,
  updateStatusCheck,
} from '../../stores/status-check-store.js'
import { receiversOf } from './present.js'
import type { CreateStatusCheck, EditStatusCheck } from './schema.js'

export interface StatusCheckDeps {
  database: Database
  secrets: SecretBox
  egress: Pick<EgressClient, 'isRefused'>
}

/** Most checks of a project: each change of a merge request is sent to all of them. */
const MAX_CHECKS = 20

/** Throws 404. */
export async function requireCheck(
  database: Database,
  { id: projectId }: Pick<Project, 'id'>,
  id: number,
): Promise<StatusCheckRow> {
  const row = await findStatusCheck(database, projectId, id)
  if (!row) throw notFound()
  return row
}

/**
 * Throws 422 for an address that may not be called, and 400 for a name or an address that another check has, for a
 * branch that is not protected, and if the project has too many checks.
 * @param health whether its service is called; by default it is
 */
export async function createCheck(
  deps: StatusCheckDeps,
  project: Project,
  { name, external_url, shared_secret, protected_branch_ids = [] }: CreateStatusCheck,
  health?: Health,
): Promise<StatusCheckRow> {
  await checkUrl(deps.egress, external_url, {})
  return inTransaction(deps.database, async (tx) => {
    const others = await lockChecks(tx, project)
    if (others.length >= MAX_CHECKS) throw apiError('too_many_status_checks', { max: MAX_CHECKS })
    await checkUnique(deps, tx, others, { name, external_url })
    const branches = await checkedBranches(tx, project, protected_branch_ids)
    const now = Date.now()
    const row = await insertStatusCheck(tx, {
      project_id: project.id,
      name,
      created_at: now,
      updated_at: now,
    })
    if (!row) throw invalidRecord({ name: [TAKEN] })
    await setBranchesOfCheck(tx, row.id, branches)
    await setHookOfStatusCheck(tx, deps.secrets, row, {
      url: external_url,
      signingKey: shared_secret,
      health,
    })
    return row
  })
}

/** Throws as `createCheck`, and 404 for an unknown check. */
export async function editCheck(
  deps: StatusCheckDeps,
  project: Project,
  { check_id: id, name, external_url, shared_secret, protected_branch_ids }: EditStatusCheck,
): Promise<StatusCheckRow> {
  if (external_url !== undefined) await checkUrl(deps.egress, external_url, {})
  return inTransaction(deps.database, async (tx) => {
    const checks = await lockChecks(tx, project)
    const before = checks.find((check) => check.id === id)
    if (!before) throw notFound()
    const others = checks.filter((check) => check.id !== id)
    await checkUnique(deps, tx, others, { name, external_url })
    if (protected_branch_ids) {
      await setBranchesOfCheck(tx, id, await checkedBranches(tx, project, protected_branch_ids))
    }
    const row = await updateStatusCheck(tx, id, { name: name ?? before.name, updated_at: Date.now() })
    await setHookOfStatusCheck(tx, deps.secrets, row, { url: external_url, signingKey: shared_secret })
    return row
  })
}

/** Throws 404 for an unknown check. */
export async function deleteCheck(database: Database, project: Project, id: number): Promise<void> {
  const row = await requireCheck(database, project, id)
  await deleteDependents(database, 'external_status_check', row.id)
  await deleteStatusCheckRow(database, row.id)
}

/** The checks of a project, which nobody else changes until the transaction ends. */
async function lockChecks(tx: Transaction, project: Project): Promise<StatusCheckRow[]> {
  if (!(await lockPresentProject(tx, project.id))) throw notFound('Project')
  return statusChecksOf(tx, project.id).selectAll().orderBy('id').execute()
}

/** Clients show this text beside the field. */
const TAKEN = 'has already been taken'

async function checkUnique(
  { secrets }: StatusCheckDeps,
  tx: Transaction,
  others: readonly StatusCheckRow[],
  { name, external_url }: { name: string | undefined; external_url: string | undefined },
): Promise<void> {
  if (others.some((other) => other.name === name)) throw invalidRecord({ name: [TAKEN] })
  const receivers = await receiversOf(
    { database: tx, secrets },
    others.map(({ id }) => id),
  )
  if (external_url !== undefined && [...receivers.values()].some(({ url }) => url === external_url)) {
    throw invalidRecord({ external_url: [TAKEN] })
  }
}

async function checkedBranches(tx: Transaction, project: Project, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)]
  const known = await protectedBranchesAmong(tx, project.id, wanted)
  const unknown = wanted.filter((id) => !known.has(id))
  if (unknown.length > 0) {
    throw invalidRecord({
      protected_branch_ids: [`${unknown.join(', ')} is no protected branch of the project`],
    })
  }
  return wanted
}

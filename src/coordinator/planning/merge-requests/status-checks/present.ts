import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { hooksByStatusCheck } from '../../../integrations/webhooks/hook-store.js'
import { branchesOfChecks, type StatusCheckRow, type StatusOfCheck } from '../../stores/status-check-store.js'
import type { CheckOfMergeRequest, StatusCheck } from './schema.js'

export interface PresentCheckDeps {
  database: Database
  secrets: Pick<SecretBox, 'decrypt'>
}

/** Records of status checks, in their order. */
export async function presentChecks(
  deps: PresentCheckDeps,
  rows: readonly StatusCheckRow[],
): Promise<StatusCheck[]> {
  const ids = rows.map(({ id }) => id)
  const receivers = await receiversOf(deps, ids)
  const branches = await branchesOfChecks(deps.database, ids)
  return rows.map(({ id, name, project_id }) => ({
    id,
    name,
    project_id,
    external_url: receivers.get(id)?.url ?? '',
    hmac: receivers.get(id)?.isSigned ?? false,
    protected_branches: (branches.get(id) ?? []).map((branch) => ({
      id: branch.id,
      project_id: branch.project_id,
      name: branch.name,
      created_at: isoTime(branch.created_at),
      updated_at: isoTime(branch.created_at),
      code_owner_approval_required: branch.code_owner_approval_required,
    })),
  }))
}

export async function presentStatuses(
  deps: PresentCheckDeps,
  statuses: readonly StatusOfCheck[],
): Promise<CheckOfMergeRequest[]> {
  const receivers = await receiversOf(
    deps,
    statuses.map(({ check }) => check.id),
  )
  return statuses.map(({ check: { id, name }, status }) =>
    shownToDevelopers({ id, name, external_url: receivers.get(id)?.url ?? '', status }),
  )
}

interface Receiver {
  url: string
  /** Whether requests have a signature. */
  isSigned: boolean
}

/** The services, by the IDs of the checks. */
export async function receiversOf(
  { database, secrets }: PresentCheckDeps,
  checkIds: readonly number[],
): Promise<Map<number, Receiver>> {
  const hooks = await hooksByStatusCheck(database, checkIds)
  return new Map(
    [...hooks].map(([id, hook]) => [
      id,
      { url: secrets.decrypt(hook.url_encrypted), isSigned: hook.signing_key_encrypted !== null },
    ]),
  )
}

/** Developers see which service it is; what gives access to it is for maintainers. */
export function shownToDevelopers<Record extends { external_url: string }>(record: Record): Record {
  const { external_url } = record
  if (!URL.canParse(external_url)) return { ...record, external_url: '' }
  const { origin, pathname } = new URL(external_url)
  return { ...record, external_url: `${origin}${pathname}` }
}

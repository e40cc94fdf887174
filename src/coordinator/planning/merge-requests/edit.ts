import type { Updateable } from 'kysely'

import { may } from '../../access/access.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { deleteDependents } from '../../database/delete-in-steps.js'
import type { MergeRequestTable } from '../../database/tables/merge-requests.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { deleteMergeRequestRefs } from '../../hosting/repositories/change/merge-request-refs.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { forbidden, invalidRecord } from '../../http/errors.js'
import type { CallerInProject } from '../access/issue-access.js'
import {
  lockTheMergeRequest,
  mayEdit,
  plansMergeRequests,
  requireMergeRequest,
} from '../access/merge-request-access.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'
import { requestRefresh } from '../stores/merge-request-refresh-store.js'
import {
  deleteMergeRequestRow,
  type MergeRequestRow,
  updateMergeRequestRow,
} from '../stores/merge-request-store.js'
import { type BranchPair, checkPair, requireSourceHead, targetHead } from './branches.js'
import { closedBy } from './close-from-project.js'
import { isDraft } from './draft.js'
import { ENDED_WAIT, endOfWait } from './merge-terms.js'
import { changeLabels, milestoneChange, squashOf } from './metadata.js'
import { changePeople } from './people.js'
import { resetApprovals } from './record-approval.js'
import type { EditMergeRequest } from './schema.js'
import { changedSourceOptions } from './source-options.js'

export interface EditDeps {
  database: Database
  repositories: Pick<Repositories, 'resolveRef'>
}

type SignedIn = CallerInProject & { user: User }

/**
 * Changes a merge request. What only members set is ignored for an author who is none. Throws 404 for an unknown
 * one, 403 for callers who may not change it, 400 for an empty title and for branches that do not exist, and 409
 * and 422 as for a new one.
 */
export async function editMergeRequest(
  deps: EditDeps,
  caller: SignedIn,
  params: EditMergeRequest,
): Promise<MergeRequestRow> {
  const { database } = deps
  if (params.title?.trim() === '') throw invalidRecord({ title: ["can't be blank"] })
  const seen = await requireMergeRequest(database, caller, params.merge_request_iid)
  if (!(await mayEdit(database, caller, seen))) throw forbidden()
  const head = await checkedHead(deps, seen, params)
  try {
    return await inTransaction(database, (tx) => change(tx, caller, params, head))
  } catch (error) {
    // Another request was first.
    if (isUniqueViolation(error)) await checkBranches(database, seen, params)
    throw error
  }
}

/** Head of the source branch of a merge request that is reopened. Throws if its branches do not allow it. */
async function checkedHead(
  { database, repositories }: EditDeps,
  row: MergeRequestRow,
  params: EditMergeRequest,
): Promise<string | undefined> {
  const { target_branch } = params
  if (target_branch !== undefined && target_branch !== row.target_branch) {
    await targetHead(repositories, { project_id: row.project_id, target_branch })
  }
  await checkBranches(database, row, params)
  if (params.state_event !== 'reopen' || row.state !== 'closed') return undefined
  return requireSourceHead(repositories, row)
}

async function checkBranches(
  database: Database,
  row: MergeRequestRow,
  { target_branch = row.target_branch, state_event }: EditMergeRequest,
): Promise<void> {
  const reopens = state_event === 'reopen' && row.state === 'closed'
  const isOpen = row.state === 'opened' && state_event !== 'close'
  if (!reopens && !(isOpen && target_branch !== row.target_branch)) return
  const pair: BranchPair = { ...row, source_project_id: row.source_project_id ?? 0, target_branch }
  await checkPair(database, pair, row.id)
}

async function change(
  tx: Transaction,
  caller: SignedIn,
  params: EditMergeRequest,
  head: string | undefined,
): Promise<MergeRequestRow> {
  const { project, user } = caller
  const before = await lockTheMergeRequest(tx, caller, params.merge_request_iid)
  const was = await mergeRequestSnapshot(tx, before)
  const isPlanner = plansMergeRequests(caller)
  if (isPlanner) {
    await changePeople(tx, project, before.id, params)
    await changeLabels(tx, caller, before.id, params)
  }
  const retargeting = branchChange(before, params)
  const source = await changedSourceOptions(tx, before, user, {
    remove: params.remove_source_branch ?? undefined,
    collaborate: params.allow_collaboration ?? params.allow_maintainer_to_push,
    isRetargeted: retargeting.target_branch !== undefined,
  })
  const changed = await updateMergeRequestRow(tx, before, {
    ...describeChange(before, user, params),
    ...optionsOf(caller, params),
    ...source,
    ...(isPlanner ? await milestoneChange(tx, project, params.milestone_id) : {}),
    ...retargeting,
    ...stateChange(before, user, params.state_event, head),
    updated_by_id: user.id,
    updated_at: Date.now(),
  })
  const because = endOfWait(before, changed, project)
  const row = because === undefined ? changed : await updateMergeRequestRow(tx, changed, ENDED_WAIT)
  const isRetargeted = row.target_branch !== before.target_branch
  if (isRetargeted) await resetApprovals(tx, { project, user }, row)
  const isNew = isRetargeted || head !== undefined
  // The texts may name other issues.
  const isEdited = row.title !== before.title || row.description !== before.description
  if (isNew || isEdited) await requestRefresh(tx, [row], null)
  await emitMergeRequestChange(tx, user, was, row, { because })
  return row
}

function describeChange(
  before: MergeRequestRow,
  user: User,
  params: EditMergeRequest,
): Updateable<MergeRequestTable> {
  const title = params.title?.trim() ?? before.title
  const description = params.description === undefined ? before.description : params.description
  const isEdited = title !== before.title || description !== before.description
  if (!isEdited) return {}
  const draft = isDraft(title)
  return { title, description, draft, last_edited_at: Date.now(), last_edited_by_id: user.id }
}

function optionsOf(caller: SignedIn, params: EditMergeRequest): Updateable<MergeRequestTable> {
  const { squash, discussion_locked } = params
  return {
    ...(squash === undefined ? {} : { squash: squashOf(caller.project, squash) }),
    ...(discussion_locked === undefined || !may('manage_merge_requests', caller)
      ? {}
      : { discussion_locked }),
  }
}

/** Another target branch: whether it can be merged is to be found out again. */
function branchChange(
  before: MergeRequestRow,
  { target_branch }: EditMergeRequest,
): Updateable<MergeRequestTable> {
  const isFinal = before.state === 'merged' || before.state === 'locked'
  if (target_branch === undefined || target_branch === before.target_branch || isFinal) return {}
  return { target_branch, merge_status: 'unchecked', checked_target_sha: null }
}

/** Only an open one is closed, and only a closed one is reopened; other events change nothing. */
function stateChange(
  before: MergeRequestRow,
  user: User,
  event: EditMergeRequest['state_event'],
  head: string | undefined,
): Updateable<MergeRequestTable> {
  if (event === 'close' && before.state === 'opened') {
    return closedBy(user)
  }
  if (event === 'reopen' && before.state === 'closed' && head !== undefined) {
    return { state: 'opened', merge_status: 'unchecked', closed_at: null, closed_by_id: null }
  }
  return {}
}

/** Throws 404 for an unknown merge request. */
export async function deleteMergeRequest(
  { database, repositories }: { database: Database; repositories: Pick<Repositories, 'path' | 'withSlot'> },
  caller: CallerInProject,
  iid: number,
): Promise<void> {
  const { id } = await inTransaction(database, (tx) => lockTheMergeRequest(tx, caller, iid))
  await deleteDependents(database, 'merge_request', id)
  await inTransaction(database, async (tx) =>
    deleteMergeRequestRow(tx, await lockTheMergeRequest(tx, caller, iid)),
  )
  // Its number is never used again, and nobody can fetch the commits of a fork under it any more.
  const { id: projectId } = caller.project
  await repositories.withSlot(projectId, 'inner', () =>
    deleteMergeRequestRefs(repositories.path(projectId), iid),
  )
}

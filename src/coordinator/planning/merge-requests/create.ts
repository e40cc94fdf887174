import { may, type ProjectAccess } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { whyReadOnly } from '../../access/read-only.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import type { ComparedBranches } from '../../hosting/repositories/compared-branches.js'
import { isRelated } from '../../hosting/repositories/is-related.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { apiError, forbidden, invalidRecord, notFound } from '../../http/errors.js'
import { accessIn } from '../../http/handle-operation.js'
import { emitMergeRequestEvent } from '../../integrations/webhooks/outbox/emit-merge-request-event.js'
import type { CallerInProject } from '../access/issue-access.js'
import { plansMergeRequests } from '../access/merge-request-access.js'
import { mergeRequestSnapshot } from '../merge-request-changes.js'
import { noticeMergeRequestByMail } from '../notices/mail-notices.js'
import { noticeMergeRequest } from '../notices/notice-merge-request.js'
import { requestRefresh } from '../stores/merge-request-refresh-store.js'
import { insertMergeRequest, insertVersion, type MergeRequestRow } from '../stores/merge-request-store.js'
import { type BranchPair, checkPair, requireSourceHead, targetHead } from './branches.js'
import { isDraft } from './draft.js'
import { changeLabels, milestoneChange, squashOf } from './metadata.js'
import { changePeople } from './people.js'
import type { CreateMergeRequest } from './schema.js'
import { sourceOptions } from './source-options.js'

export interface CreateDeps {
  database: Database
  repositories: Pick<Repositories, 'resolveRef' | 'compareForMergeRequest'>
  findProject: (idOrPath: string) => Promise<Project | undefined>
  projectAccessOf: (user: User, project: Project) => Promise<ProjectAccess>
}

type SignedIn = CallerInProject & { user: User }

/**
 * Creates a merge request from a branch of the project of `source`. What only members of the target project set
 * is ignored for others. Throws 404 for a target project that the caller may not see, 403 for one whose merge
 * requests are not for the caller, 400 for an empty title and for branches that do not exist, 409 if an open
 * merge request has the same branches, and 422 for the same branch and for projects that are not related.
 */
export async function createMergeRequest(
  deps: CreateDeps,
  source: SignedIn,
  params: CreateMergeRequest,
): Promise<MergeRequestRow> {
  const { database, repositories } = deps
  if (params.title.trim() === '') throw invalidRecord({ title: ["can't be blank"] })
  const caller = await targetOf(deps, source, params.target_project_id)
  if (!isRelated(source.project, caller.project)) {
    throw apiError('projects_unrelated')
  }
  const pair: BranchPair = {
    source_project_id: source.project.id,
    source_branch: params.source_branch,
    project_id: caller.project.id,
    target_branch: params.target_branch,
  }
  const heads = {
    source: await requireSourceHead(repositories, pair),
    target: await targetHead(repositories, pair),
  }
  await checkPair(database, pair)
  // The first version is stored with the record: clients read the changes as soon as they have the response.
  const compared = await repositories.compareForMergeRequest(pair, heads)
  try {
    return await inTransaction(database, (tx) => insert(tx, caller, { ...pair, heads, compared }, params))
  } catch (error) {
    // Another request was first.
    if (isUniqueViolation(error)) await checkPair(database, pair)
    throw error
  }
}

/** The relation of the caller to the target project. Throws 404 for a hidden one, and 403. */
async function targetOf(deps: CreateDeps, source: SignedIn, id: number | undefined): Promise<SignedIn> {
  const { user } = source
  const isOther = id !== undefined && id !== source.project.id
  const project = isOther ? await deps.findProject(String(id)) : source.project
  const access = isOther && project ? await accessIn(deps, user, project) : source
  if (!project || access.accessLevel === 0) throw notFound('Project')
  const { accessLevel, membership } = access
  const caller = { project, user, accessLevel, membership }
  if (!may('read_merge_requests', caller) || whyReadOnly(project) !== undefined) throw forbidden()
  return caller
}

interface ComparedPair extends BranchPair {
  heads: { source: string; target: string }
  compared: ComparedBranches
}

async function insert(
  tx: Transaction,
  caller: SignedIn,
  { heads, compared, ...pair }: ComparedPair,
  params: CreateMergeRequest,
): Promise<MergeRequestRow> {
  const { project, user } = caller
  const now = Date.now()
  const title = params.title.trim()
  const isFork = pair.source_project_id !== project.id
  const collaborates = params.allow_collaboration ?? params.allow_maintainer_to_push ?? false
  const isPlanner = plansMergeRequests(caller)
  const row = await insertMergeRequest(tx, {
    ...pair,
    head_sha: heads.source,
    prepared_at: now,
    title,
    description: params.description ?? null,
    draft: isDraft(title),
    author_id: user.id,
    squash: squashOf(project, params.squash),
    ...sourceOptions(
      { remove: params.remove_source_branch ?? false, collaborate: isFork && collaborates },
      user,
    ),
    ...(isPlanner ? await milestoneChange(tx, project, params.milestone_id) : {}),
    created_at: now,
    updated_at: now,
  })
  if (isPlanner) {
    await changePeople(tx, project, row.id, params)
    await changeLabels(tx, caller, row.id, params)
  }
  await insertVersion(tx, {
    merge_request_id: row.id,
    head_sha: heads.source,
    base_sha: compared.base,
    start_sha: heads.target,
    commit_count: compared.commits,
    file_count: compared.files,
    pushed_by_id: null,
    created_at: now,
  })
  await requestRefresh(tx, [row], null)
  const after = await mergeRequestSnapshot(tx, row)
  await noticeMergeRequest(tx, user, after)
  await noticeMergeRequestByMail(tx, user, undefined, after)
  await emitMergeRequestEvent(tx, { after, action: 'open', userId: user.id })
  return row
}

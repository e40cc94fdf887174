import { branchOrTag, ZERO_ID } from '../../../git/names.js'
import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { inTransaction } from '../../database/transaction.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import type { MovedRef } from '../../hosting/repositories/push/handle-push.js'
import {
  type MergeRequestPushOptions,
  mergeRequestPushOptions,
} from '../../hosting/repositories/push/push-options.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { ApiError, apiError } from '../../http/errors.js'
import { accessIn } from '../../http/handle-operation.js'
import type { CallerInProject } from '../access/issue-access.js'
import { mayMergeInto } from '../access/may-merge-into.js'
import {
  assigneesOfMergeRequests,
  type MergeRequestRow,
  openFromBranch,
} from '../stores/merge-request-store.js'
import { type CreateDeps, createMergeRequest } from './create.js'
import { isDraft } from './draft.js'
import { editMergeRequest } from './edit.js'
import { markWaiting } from './mark-waiting.js'
import type { EditMergeRequest } from './schema.js'

export interface PushOptionDeps extends CreateDeps {
  repositories: Pick<Repositories, 'resolveRef' | 'readCommit' | 'compareForMergeRequest'>
  /** Public address without a trailing slash. */
  externalUrl: string
}

type Moved = { project: Project; user: User } & Pick<MovedRef, 'ref' | 'after' | 'options'>
type SignedIn = CallerInProject & { user: User }

/**
 * Creates or changes the merge request of a pushed branch, as the options of the push say. Returns lines for the user:
 * where the merge request is, or can be created, and what was not possible. It may be called again for one push.
 */
export async function followPushOptions(deps: PushOptionDeps, moved: Moved): Promise<string[]> {
  const { project, ref, after } = moved
  const branch = branchOrTag(ref)
  const options = mergeRequestPushOptions(moved.options)
  if (branch?.kind !== 'branch' || after === ZERO_ID) return []
  const problems = options ? await problemsOf(deps, moved, branch.name, options) : []
  const isShown = project.printing_merge_request_link_enabled && branch.name !== project.default_branch
  return [...problems, ...(isShown ? await links(deps, project, branch.name) : [])]
}

interface Pushed {
  branch: string
  after: string
}

async function problemsOf(
  deps: PushOptionDeps,
  { project, user, after }: Moved,
  branch: string,
  options: MergeRequestPushOptions,
): Promise<string[]> {
  try {
    const caller = { project, user, ...(await accessIn(deps, user, project)) }
    await follow(deps, caller, { branch, after }, options)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [
      '',
      `WARNINGS:`,
      `Error encountered with push options 'merge_request.*': ${messageText(error)}`,
      '',
    ]
  }
}

function messageText({ body }: ApiError): string {
  const { message, error } = body
  const reason = message ?? error
  return Array.isArray(reason)
    ? reason.join(', ')
    : typeof reason === 'string'
      ? reason
      : JSON.stringify(reason)
}

async function follow(
  deps: PushOptionDeps,
  source: SignedIn,
  pushed: Pushed,
  options: MergeRequestPushOptions,
): Promise<void> {
  const [target, row] = await targetOf(deps, source, pushed, options)
  if (!row && !options.create) {
    throw apiError('push_option_no_merge_request', { branch: pushed.branch })
  }
  const done = row
    ? await editMergeRequest(deps, target, {
        merge_request_iid: row.iid,
        ...(await changesOf(deps, target, row, options)),
      })
    : await createMergeRequest(deps, source, {
        ...(await newFields(deps, source, target, pushed, options)),
        source_branch: pushed.branch,
        target_project_id: target.project.id,
      })
  if (options.autoMerge) await waitForPipeline(deps, target, done, pushed.after)
}

/** The target project, and the open merge request of the branch there. */
async function targetOf(
  deps: PushOptionDeps,
  source: SignedIn,
  { branch }: Pushed,
  { targetProject, target }: MergeRequestPushOptions,
): Promise<[SignedIn, MergeRequestRow | undefined]> {
  const { project, user } = source
  const wanted =
    targetProject ?? (project.forked_from_id === null ? undefined : String(project.forked_from_id))
  const found = wanted === undefined ? project : await deps.findProject(wanted)
  const access = found && (await accessIn(deps, user, found))
  const caller = found && access ? { project: found, user, ...access } : undefined
  if (!caller || !may('read_merge_requests', caller)) {
    throw apiError('push_option_no_target', { project: targetProject ?? '' })
  }
  const open = await openFromBranch(deps.database, project.id, branch)
  const its = open.filter(({ project_id }) => project_id === caller.project.id)
  return [caller, its.find(({ target_branch }) => target_branch === target) ?? its[0]]
}

async function newFields(
  deps: PushOptionDeps,
  source: SignedIn,
  target: SignedIn,
  { after }: Pushed,
  options: MergeRequestPushOptions,
) {
  const commit = await deps.repositories.readCommit(source.project.id, after)
  const title = options.title ?? commit.title
  return {
    title: options.draft && !isDraft(title) ? `Draft: ${title}` : title,
    description: options.description ?? null,
    target_branch: options.target ?? target.project.default_branch ?? 'main',
    labels: options.labels,
    assignee_ids: await userIds(deps, options.assigned),
    ...(options.removeSourceBranch && { remove_source_branch: true }),
    ...(await milestoneOf(deps, target.project, options)),
  }
}

async function changesOf(
  deps: PushOptionDeps,
  { project }: SignedIn,
  row: MergeRequestRow,
  options: MergeRequestPushOptions,
): Promise<Partial<EditMergeRequest>> {
  const present = (await assigneesOfMergeRequests(deps.database, [row.id])).get(row.id) ?? []
  const gone = await userIds(deps, options.unassigned)
  const assignee_ids = [...present, ...(await userIds(deps, options.assigned))].filter(
    (id) => !gone.includes(id),
  )
  const title = options.title ?? row.title
  return {
    title: options.draft && !isDraft(title) ? `Draft: ${title}` : title,
    ...(options.description !== undefined && { description: options.description }),
    ...(options.target !== undefined && { target_branch: options.target }),
    ...(options.removeSourceBranch && { remove_source_branch: true }),
    ...(options.labels.length > 0 && { add_labels: options.labels }),
    ...(options.removedLabels.length > 0 && { remove_labels: options.removedLabels }),
    ...(options.assigned.length + options.unassigned.length > 0 && {
      assignee_ids: [...new Set(assignee_ids)],
    }),
    ...(await milestoneOf(deps, project, options)),
  }
}

async function milestoneOf(
  { database }: PushOptionDeps,
  { id }: Project,
  { milestone }: MergeRequestPushOptions,
): Promise<{ milestone_id?: number }> {
  if (milestone === undefined) return {}
  const [found] = await milestonesForProject(database, id, { titles: [milestone] })
  return found ? { milestone_id: found.id } : {}
}

async function userIds({ database }: PushOptionDeps, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const wanted = names.map((name) => name.replace(/^@/, '').toLowerCase())
  const users = await database
    .selectFrom('user')
    .select('id')
    .where(({ fn }) => fn('lower', ['username']), 'in', wanted)
    .execute()
  return users.map(({ id }) => id)
}

async function waitForPipeline(
  { database }: PushOptionDeps,
  { project, user, accessLevel }: SignedIn,
  row: MergeRequestRow,
  sha: string,
): Promise<void> {
  if (!(await mayMergeInto(database, { project, user, accessLevel }, row.target_branch))) {
    throw apiError('push_option_merge_forbidden', { branch: row.target_branch })
  }
  await inTransaction(database, (tx) => markWaiting(tx, user, row, { sha }))
}

async function links(
  { database, externalUrl, findProject }: PushOptionDeps,
  project: Project,
  branch: string,
) {
  const [row] = await openFromBranch(database, project.id, branch)
  if (row) {
    const target = await findProject(String(row.project_id))
    const url = `${externalUrl}/${target?.full_path ?? ''}/-/merge_requests/${row.iid}`
    return ['', `View merge request for ${branch}:`, `  ${url}`, '']
  }
  if (project.merge_requests_access_level === 'disabled') return []
  const query = `merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`
  const url = `${externalUrl}/${project.full_path}/-/merge_requests/new?${query}`
  return ['', `To create a merge request for ${branch}, visit:`, `  ${url}`, '']
}

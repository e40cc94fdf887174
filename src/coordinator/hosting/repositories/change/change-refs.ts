import type { FastifyReply } from 'fastify'

import { GitError } from '../../../../git/errors.js'
import { ZERO_ID } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import type { Project, User } from '../../../access/caller.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import { clientGone } from '../../../http/client-gone.js'
import { apiError } from '../../../http/errors.js'
import { signedIn } from '../../../http/viewer.js'
import { findPushRule } from '../../push-rule-store.js'
import { withApiSlot } from '../api-slot.js'
import { changedFiles, isAncestor } from '../changed-files.js'
import { problemsOfCommits } from '../push/check-commits.js'
import { handlePush, type PushDeps } from '../push/handle-push.js'
import { pusherEnvironment } from '../push/has-moved.js'
import { needsCommits } from '../push/list-new-commits.js'
import { ownedChanges } from '../push/owned-changes.js'
import { planPush } from '../push/plan-push.js'
import {
  changesForOwners,
  FORCE_PUSH_REFUSED,
  forwardOnlyRefs,
  type PushSituation,
  refusalsOf,
} from '../push/ref-rules.js'
import { rulePeople } from '../push/rule-people.js'
import { deleteStaleLocksOf } from '../stale-locks.js'
import { insertPush, listProtectedRefs } from '../store.js'
import { RefsMovedError, RefsRefusedError } from './errors.js'

/** A user who changes refs without a push. */
export interface RefChanger {
  project: Project
  user: User
  /** Effective access level in the project. */
  accessLevel: number
  /** Aborts when the client disconnects; no further step is started then. */
  signal: AbortSignal
}

/** The caller of an operation that requires the developer role, and who therefore is a user. */
export function changerOf(call: {
  project: Project
  user: User | undefined
  accessLevel: number
  reply: FastifyReply
}): RefChanger {
  const { project, user, accessLevel, reply } = call
  return { project, user: signedIn(user), accessLevel, signal: clientGone(reply) }
}

/** Runs `work` in a slot of the pool `writing`; throws as `withApiSlot` does. */
export function withChangeSlot<T>(
  { repositories }: Pick<PushDeps, 'repositories'>,
  { project, signal }: Pick<RefChanger, 'project' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  return withApiSlot(repositories, { projectId: project.id, pool: 'writing', signal }, work)
}

/**
 * Moves, creates and deletes refs atomically, as a push of this user would: with the same rules, the same
 * record for crashes, the same pipelines and events. `before` is the expected value of each ref (40 zeros =
 * it does not exist). `onceMoved` runs before the pipelines are created; they are created even if it fails.
 * Throws `RefsRefusedError` if the rules forbid a change, and `RefsMovedError` if another change was faster.
 */
export async function changeRefs(
  deps: PushDeps,
  changer: RefChanger,
  changes: RefChange[],
  onceMoved?: () => Promise<void>,
): Promise<void> {
  await checkMayChange(deps, changer, changes)
  await changeAllowedRefs(deps, changer, changes, onceMoved)
}

/** As `changeRefs`, for changes that the caller has checked: a merge follows other rules than a push. */
export async function changeAllowedRefs(
  deps: PushDeps,
  { project, user, signal }: Omit<RefChanger, 'accessLevel'>,
  changes: RefChange[],
  onceMoved?: () => Promise<void>,
): Promise<void> {
  await refuseCommits(deps, { project, signal }, changes)
  const limits = await effectiveSettings(
    deps.database,
    'push_event_activities_limit',
    'push_event_hooks_limit',
  )
  const push = await insertPush(deps.database, {
    projectId: project.id,
    userId: user.id,
    ...planPush(changes, project.default_branch, {
      hooks: limits.push_event_hooks_limit,
      activities: limits.push_event_activities_limit,
    }),
    options: [],
  })
  try {
    const gitDir = deps.repositories.path(project.id)
    const environment = pusherEnvironment(push.id, user.email)
    await withChangeSlot(deps, { project, signal }, () => moveRefs(gitDir, changes, environment))
    await onceMoved?.()
  } finally {
    // Also if git failed: the effects of moved refs are applied, and the record of the others is deleted.
    await handlePush(deps, push)
  }
}

/** Throws 400 with the reasons if the push rule of the project refuses commits that no branch or tag has yet. */
async function refuseCommits(
  deps: PushDeps,
  changer: Pick<RefChanger, 'project' | 'signal'>,
  changes: readonly RefChange[],
): Promise<void> {
  const { project, signal } = changer
  const rule = await findPushRule(deps.database, { column: 'project_id', id: project.id })
  const ids = changes.map(({ after }) => after).filter((after) => after !== ZERO_ID)
  if (!rule || !needsCommits(rule) || ids.length === 0) return
  const gitDir = deps.repositories.path(project.id)
  const people = await rulePeople(deps.database, undefined)
  const problems = await withChangeSlot(deps, changer, () =>
    problemsOfCommits(rule, { gitDir, ids, signal }, people),
  )
  if (problems.length > 0) throw apiError('commit_rules_violated', { reason: problems.join(' ') })
}

/** Throws `RefsRefusedError`, or 403 for files with owners, unless `changeRefs` may apply the changes; changes nothing. */
export async function checkMayChange(
  deps: PushDeps,
  changer: RefChanger,
  changes: RefChange[],
): Promise<void> {
  const { project, user, accessLevel } = changer
  const protectedRefs = await listProtectedRefs(deps.database, project.id, user.id)
  const pushRule = await findPushRule(deps.database, { column: 'project_id', id: project.id })
  const situation = { changes, accessLevel, protectedRefs, defaultBranch: project.default_branch, pushRule }
  const refusals = refusalsOf(situation)
  if (refusals.length > 0) throw new RefsRefusedError(refusals)
  await refuseForcePush(deps, changer, situation)
  await refuseOwnedChanges(deps, changer, situation)
}

/** Throws 403 for changes of files whose owners must approve. */
async function refuseOwnedChanges(
  deps: PushDeps,
  changer: RefChanger,
  situation: PushSituation,
): Promise<void> {
  const { id } = changer.project
  const gitDir = deps.repositories.path(id)
  const reasons = await ownedChanges(deps.repositories, id, changesForOwners(situation), (before, after) =>
    withChangeSlot(deps, changer, () => changedFiles(gitDir, before, after)),
  )
  if (reasons.length > 0) throw apiError('owned_files_changed', { reason: reasons.join(' ') })
}

async function refuseForcePush(deps: PushDeps, changer: RefChanger, situation: PushSituation): Promise<void> {
  const gitDir = deps.repositories.path(changer.project.id)
  const forwardOnly = new Set(forwardOnlyRefs(situation))
  for (const { ref, before, after } of situation.changes) {
    if (!forwardOnly.has(ref)) continue
    const check = () => isAncestor(gitDir, before, after, changer.signal)
    if (!(await withChangeSlot(deps, changer, check))) throw new RefsRefusedError([FORCE_PUSH_REFUSED])
  }
}

/** Not aborted when the client disconnects, so that all refs are moved or none. */
async function moveRefs(
  gitDir: string,
  changes: RefChange[],
  environment: Record<string, string>,
): Promise<void> {
  // Git applies the input in one transaction. Names are checked before, and contain no blank or line end.
  const input = changes.map(commandOf).join('')
  const settings = { 'core.logAllRefUpdates': 'always' }
  await deleteStaleLocksOf(
    gitDir,
    changes.map(({ ref }) => ref),
  )
  try {
    await runGit(['--git-dir', gitDir, 'update-ref', '--stdin'], { input, environment, settings })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new RefsMovedError(
      changes.map(({ ref }) => ref),
      { cause: error },
    )
  }
}

function commandOf({ ref, before, after }: RefChange): string {
  if (after === ZERO_ID) return `delete ${ref} ${before}\n`
  return before === ZERO_ID ? `create ${ref} ${after}\n` : `update ${ref} ${after} ${before}\n`
}

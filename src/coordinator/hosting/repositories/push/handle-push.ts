import { branchOrTag, type RefKind, ZERO_ID } from '../../../../git/names.js'
import { chunks } from '../../../../lib/chunks.js'
import type { Logger } from '../../../../lib/logger.js'
import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import type { BulkChange, RefChange } from '../../../database/tables/repositories.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { adoptDefaultBranch } from '../default-branch.js'
import { ChangeResolvedError } from '../errors.js'
import type { Repositories } from '../repositories.js'
import {
  deletePush,
  findProject,
  findUser,
  type Push,
  resolveBulk,
  resolveChange,
  touchProject,
} from '../store.js'
import { hasMoved } from './has-moved.js'
import { deletedBranch } from './plan-push.js'
import { type CiPushOptions, ciPushOptions } from './push-options.js'

/** One moved ref, as input for pipeline creation. */
export interface PushedRef extends CiPushOptions {
  project: Project
  user: User
  ref: string
  refType: RefKind
  sha: string
  beforeSha: string
  source: 'push'
  /** Additional writes in the transaction that creates the pipeline, whatever its result. */
  within: (tx: Transaction) => Promise<void>
}

export interface DeletedBranch {
  projectId: number
  branch: string
  /** ID of the user who deleted it. */
  userId: number
}

/** A branch or tag that was created, moved or deleted. */
export interface MovedRef {
  /** Full name. */
  ref: string
  before: string
  after: string
  userId: number
  /** Values of `git push -o`. */
  options: string[]
}

/** Branches, or tags, that a push has created, moved or deleted. */
export interface BulkMove extends Pick<BulkChange, 'kind' | 'action'> {
  /** Number of refs. */
  count: number
  userId: number
}

/** Takes a line that the client of a push shows after `remote:`. */
export type Say = (line: string) => void

export interface PushDeps {
  database: Database
  repositories: Repositories
  /** Creates a pipeline. A refusal, for example without a CI file, is a result and not an error. */
  createPipeline: (pushed: PushedRef) => Promise<unknown>
  /** May be called more than once for one branch. */
  onBranchDeleted: (deleted: DeletedBranch) => Promise<void>
  /**
   * Reads what other effects of a moved branch need, before the transaction that completes it. The result runs in that
   * transaction. Undefined without such effects. May be called more than once for one branch.
   */
  prepareMoved?: (
    moved: Pick<PushedRef, 'project' | 'user'> &
      Pick<MovedRef, 'ref' | 'before' | 'after' | 'options'> & {
        /** Shows a line to the user who pushes. */
        say: Say
      },
  ) => Promise<((tx: Transaction) => Promise<void>) | undefined>
  /** Called once per ref whose move is an activity of its own, in the transaction that completes it. */
  recordMove?: (tx: Transaction, projectId: number, moved: MovedRef) => Promise<void>
  /** Called once for refs whose moves are one activity, in a transaction of its own. */
  recordBulkMove?: (tx: Transaction, projectId: number, moved: BulkMove) => Promise<void>
  /** Called once per ref with webhook events, in the transaction that completes it. */
  onRefMoved?: (tx: Transaction, projectId: number, moved: MovedRef) => Promise<void>
  /**
   * Called for a push of so many branches that `onRefMoved` is not called for them. May be called more than once.
   */
  onManyBranchesMoved?: (projectId: number, userId: number) => Promise<void>
  /** Called when a push may have changed the project. */
  onPushed?: (projectId: number) => void
  logger: Logger
}

function isUntoldBranch({ ref, isNotified }: RefChange): boolean {
  return !isNotified && branchOrTag(ref)?.kind === 'branch'
}

/**
 * Applies the effects of each moved ref after git has ended. Never throws, because the refs have moved and
 * the client already knows it. Failures are logged, and the push stays recorded for
 * `finishInterruptedPushes`.
 */
export async function handlePush(deps: PushDeps, push: Push, say?: Say): Promise<void> {
  try {
    await resolvePush(deps, push, { isOver: true, say })
  } catch (error) {
    deps.logger.error(
      { err: error, push: push.id, project: push.project_id },
      'Failed to process a push; a later run retries',
    )
  }
}

/** `isOver`: git has ended, so refs that have not moved will not move any more. */
export async function resolvePush(
  deps: PushDeps,
  push: Push,
  { isOver, say = () => undefined }: { isOver: boolean; say?: Say | undefined },
): Promise<void> {
  const project = await prepareProject(deps, push.project_id)
  const user = await findUser(deps.database, push.user_id)
  if (!project || !user) return deletePush(deps.database, push.id)
  if (push.changes.some(isUntoldBranch)) await deps.onManyBranchesMoved?.(project.id, user.id)
  const failures: unknown[] = []
  // Before the changes: the last one deletes the push.
  await recordBulk(deps, { push, project, user, say }, isOver).catch((error: unknown) => failures.push(error))
  for (const change of push.changes) {
    try {
      const isDone = await resolveIfMoved(deps, { push, project, user, say }, change)
      if (!isDone && isOver) await discardChange(deps, push, change)
    } catch (error) {
      failures.push(error) // a failure of one ref does not stop the others
    }
  }
  deps.onPushed?.(project.id)
  if (failures.length > 0) throw failures[0]
  // A push without changes to process has no last change that would delete it.
  if (isOver && push.changes.length === 0) await deletePush(deps.database, push.id)
}

/** Applies the effects of a ref if it has moved, and returns whether it has. */
async function resolveIfMoved(deps: PushDeps, pushed: Pushed, change: RefChange): Promise<boolean> {
  const { push, project, user } = pushed
  if (change.after === ZERO_ID) {
    // The reflog is deleted with its ref, so only the missing ref shows the deletion.
    if (await deps.repositories.resolveRef(project.id, change.ref)) return false
    const branch = deletedBranch(change)
    if (branch !== undefined) {
      await deps.onBranchDeleted({ projectId: project.id, branch, userId: user.id })
    }
    await resolveMoved(deps, push, change)
    return true
  }
  if (!(await hasMoved(deps.repositories.path(project.id), push.id, change.ref))) return false
  if (change.isQuiet) await resolveMoved(deps, push, change, await effectsOf(deps, pushed, change))
  else await runChange(deps, pushed, change)
  return true
}

/** Records the activities for many refs each. Without a moved ref there is none, yet. */
async function recordBulk(deps: PushDeps, { push, project, user }: Pushed, isOver: boolean): Promise<void> {
  if (push.bulk.length === 0) return
  const moves: BulkMove[] = []
  const rest: BulkChange[] = []
  for (const bulk of push.bulk) {
    const count = await countMoved(deps.repositories, push, bulk)
    if (count > 0) moves.push({ kind: bulk.kind, action: bulk.action, count, userId: user.id })
    else if (!isOver) rest.push(bulk)
  }
  if (rest.length === push.bulk.length) return
  const record = inTransaction(deps.database, async (tx) => {
    await resolveBulk(tx, push, rest)
    for (const move of moves) await deps.recordBulkMove?.(tx, project.id, move)
  })
  await unlessResolved(record)
}

/** Reflogs that are read at once. */
const LOGS_AT_ONCE = 32

async function countMoved(
  repositories: PushDeps['repositories'],
  { id, project_id }: Push,
  { kind, action, refs }: BulkChange,
): Promise<number> {
  if (action === 'removed') {
    const prefix = kind === 'branch' ? 'refs/heads/' : 'refs/tags/'
    const left = new Set((await repositories.listRefs(project_id, kind)).map(({ ref }) => prefix + ref))
    return refs.filter((ref) => !left.has(ref)).length
  }
  const gitDir = repositories.path(project_id)
  let count = 0
  for (const some of chunks(refs, LOGS_AT_ONCE)) {
    const areMoved = await Promise.all(some.map((ref) => hasMoved(gitDir, id, ref)))
    count += areMoved.filter((isMoved) => isMoved).length
  }
  return count
}

/** The project as pipelines need it: with a protected default branch. */
async function prepareProject(deps: PushDeps, projectId: number): Promise<Project | undefined> {
  const project = await findProject(deps.database, projectId)
  if (!project) return undefined
  await touchProject(deps.database, projectId)
  await adoptDefaultBranch(deps, project)
  return findProject(deps.database, projectId)
}

/** A push, by whom, and to what. */
interface Pushed {
  push: Push
  project: Project
  user: User
  say: Say
}

async function runChange(deps: PushDeps, pushed: Pushed, change: RefChange): Promise<void> {
  const { push, project, user } = pushed
  const target = branchOrTag(change.ref)
  const sha = await deps.repositories.commitOf(project.id, change.after)
  if (!target || !sha) return resolveMoved(deps, push, change) // a tag that does not point to a commit
  const effects = await effectsOf(deps, pushed, change)
  const within = (tx: Transaction): Promise<void> => applyAndNotify(deps, tx, push, change, effects)
  await unlessResolved(
    deps.createPipeline({
      project,
      user,
      sha,
      within,
      ref: target.name,
      refType: target.kind,
      beforeSha: change.before,
      source: 'push',
      ...ciPushOptions(push.options),
    }),
  )
}

type Effects = ((tx: Transaction) => Promise<void>) | undefined

async function effectsOf(
  deps: PushDeps,
  { push: { options }, project, user, say }: Pushed,
  { ref, before, after }: RefChange,
): Promise<Effects> {
  return branchOrTag(ref)?.kind === 'branch'
    ? deps.prepareMoved?.({ project, user, ref, before, after, options, say })
    : undefined
}

async function applyAndNotify(
  deps: PushDeps,
  tx: Transaction,
  push: Push,
  change: RefChange,
  effects?: Effects,
): Promise<void> {
  const { ref, before, after, isNotified, isBulk } = change
  await resolveChange(tx, push.id, ref)
  await effects?.(tx)
  const moved = { ref, before, after, userId: push.user_id, options: push.options }
  if (!isBulk) await deps.recordMove?.(tx, push.project_id, moved)
  if (isNotified) await deps.onRefMoved?.(tx, push.project_id, moved)
}

/** Completes a moved ref that starts no pipeline. */
async function resolveMoved(deps: PushDeps, push: Push, change: RefChange, effects?: Effects): Promise<void> {
  await unlessResolved(inTransaction(deps.database, (tx) => applyAndNotify(deps, tx, push, change, effects)))
}

async function discardChange(deps: PushDeps, push: Push, change: RefChange): Promise<void> {
  await unlessResolved(inTransaction(deps.database, (tx) => resolveChange(tx, push.id, change.ref)))
}

async function unlessResolved(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ChangeResolvedError)) throw error
  }
}

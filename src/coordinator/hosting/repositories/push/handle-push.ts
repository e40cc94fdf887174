import { branchOrTag, type RefKind, ZERO_ID } from '../../../../git/names.js'
import type { Logger } from '../../../../lib/logger.js'
import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { adoptDefaultBranch } from '../default-branch.js'
import { ChangeResolvedError } from '../errors.js'
import type { Repositories } from '../repositories.js'
import { deletePush, findProject, findUser, type Push, resolveChange, touchProject } from '../store.js'
import { hasMoved } from './has-moved.js'
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

/** Maximum number of refs of a push that start pipelines; the first ones do (CI language, 9.1). */
const MAX_PIPELINES = 4

/** Refs of a push that may start pipelines: branches and tags that are not deleted. */
export function changesToRun(changes: RefChange[]): RefChange[] {
  return changes
    .filter(({ ref, after, isQuiet }) => after !== ZERO_ID && !isQuiet && branchOrTag(ref) !== undefined)
    .slice(0, MAX_PIPELINES)
}

/**
 * Changes with work left after git has moved the refs: pipelines to create, deleted branches, webhook events, and the
 * effects of the default branch. If it moves more branches, or more tags, than `mostTold`, these emit no webhook events
 * (API, K2).
 */
export function changesToResolve(
  changes: RefChange[],
  defaultBranch: string | null,
  mostTold: number,
): RefChange[] {
  const run = new Set(changesToRun(changes))
  const told = new Set(changesToNotify(changes, mostTold))
  const isDefault = ({ ref }: RefChange) => ref === `refs/heads/${defaultBranch}`
  return changes
    .filter(
      (change) =>
        run.has(change) || told.has(change) || deletedBranch(change) !== undefined || isDefault(change),
    )
    .map((change) => ({
      ...change,
      ...(!run.has(change) && change.after !== ZERO_ID && { isQuiet: true }),
      ...(told.has(change) && { isTold: true }),
    }))
}

function changesToNotify(changes: RefChange[], mostTold: number): RefChange[] {
  return (['branch', 'tag'] as const).flatMap((kind) => {
    const ofKind = changes.filter(({ ref }) => branchOrTag(ref)?.kind === kind)
    return ofKind.length > mostTold ? [] : ofKind
  })
}

function isUntoldBranch({ ref, isTold }: RefChange): boolean {
  return !isTold && branchOrTag(ref)?.kind === 'branch'
}

function deletedBranch({ ref, after }: RefChange): string | undefined {
  const target = branchOrTag(ref)
  return after === ZERO_ID && target?.kind === 'branch' ? target.name : undefined
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
  const { ref, before, after, isTold } = change
  await resolveChange(tx, push.id, ref)
  await effects?.(tx)
  if (!isTold) return
  const moved = { ref, before, after, userId: push.user_id, options: push.options }
  await deps.onRefMoved?.(tx, push.project_id, moved)
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

import { branchOrTag, type RefKind, ZERO_ID } from '../../../../git/names.js'
import type { BulkChange, RefChange } from '../../../database/tables/repositories.js'

/** Numbers of branches, or tags, of a push above which it has fewer effects. */
export interface PushLimits {
  /** Those that a push changes in any way; above it, they emit no webhook events. */
  hooks: number
  /** Those that a push creates, or moves, or deletes; above it, they have one activity. */
  activities: number
}

/** Maximum number of refs of a push that start pipelines; the first ones do (CI language, 9.1). */
const MAX_PIPELINES = 4

/** Refs of a push that may start pipelines: branches and tags that are not deleted. */
function changesToRun(changes: readonly RefChange[]): RefChange[] {
  return changes
    .filter(({ ref, after, isQuiet }) => after !== ZERO_ID && !isQuiet && branchOrTag(ref) !== undefined)
    .slice(0, MAX_PIPELINES)
}

/**
 * The work that is left after git has moved the refs of a push. `changes`: those with pipelines to create, deleted
 * branches, webhook events, activities, and the effects of the default branch (API, G8, K2). `bulk`: the activities for
 * many refs each.
 */
export function planPush(
  all: readonly RefChange[],
  defaultBranch: string | null,
  limits: PushLimits,
): { changes: RefChange[]; bulk: BulkChange[] } {
  const run = new Set(changesToRun(all))
  const notified = new Set(changesToNotify(all, limits.hooks))
  const bulk = bulkChanges(all, limits.activities)
  const inBulk = new Set(bulk.flatMap(({ refs }) => refs))
  const isRecorded = ({ ref }: RefChange) => branchOrTag(ref) !== undefined && !inBulk.has(ref)
  const isDefault = ({ ref }: RefChange) => ref === `refs/heads/${defaultBranch}`
  const changes = all
    .filter(
      (change) =>
        run.has(change) ||
        notified.has(change) ||
        isRecorded(change) ||
        deletedBranch(change) !== undefined ||
        isDefault(change),
    )
    .map((change) => ({
      ...change,
      ...(!run.has(change) && change.after !== ZERO_ID && { isQuiet: true }),
      ...(notified.has(change) && { isNotified: true }),
      ...(inBulk.has(change.ref) && { isBulk: true }),
    }))
  return { changes, bulk }
}

const KINDS = ['branch', 'tag'] as const
const ACTIONS = ['created', 'pushed', 'removed'] as const

function changesToNotify(changes: readonly RefChange[], most: number): RefChange[] {
  return KINDS.flatMap((kind) => {
    const ofKind = changes.filter(({ ref }) => branchOrTag(ref)?.kind === kind)
    return ofKind.length > most ? [] : ofKind
  })
}

function bulkChanges(changes: readonly RefChange[], most: number): BulkChange[] {
  const groups = KINDS.flatMap((kind) =>
    ACTIONS.map((action) => ({ kind, action, refs: refsOf(changes, kind, action) })),
  )
  return groups.filter(({ refs }) => refs.length > most)
}

function refsOf(changes: readonly RefChange[], kind: RefKind, action: BulkChange['action']): string[] {
  return changes
    .filter((change) => branchOrTag(change.ref)?.kind === kind && actionOf(change) === action)
    .map(({ ref }) => ref)
}

function actionOf({ before, after }: RefChange): BulkChange['action'] {
  if (after === ZERO_ID) return 'removed'
  return before === ZERO_ID ? 'created' : 'pushed'
}

/** Name of the branch that a change deletes; undefined for another change. */
export function deletedBranch({ ref, after }: RefChange): string | undefined {
  const target = branchOrTag(ref)
  return after === ZERO_ID && target?.kind === 'branch' ? target.name : undefined
}

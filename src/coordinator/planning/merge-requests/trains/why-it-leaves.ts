import type { Database } from '../../../database/connect.js'
import { type Giver, giverNow } from '../../../intentions/giver.js'
import { mayMergeInto } from '../../access/may-merge-into.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { type CarRow, isForTrain } from '../../stores/merge-train-store.js'
import { mergeParamsOf } from '../merge-params.js'
import type { MergeRefusal } from '../merge-refusal.js'
import { mergeRefusal } from '../merge-refusal.js'
import { changedSinceAsked } from '../merge-terms.js'
import { mergeFacts } from '../merge/merge-now.js'

/**
 * `stays`: it may be merged at this moment, for `giver`; `merging`: a merge is under way; `over`: it does not wait for the
 * train any more, which is recorded already; `leaves`: it must not be merged, as the end of a sentence.
 */
export type CarCheck =
  | { kind: 'stays'; giver: Giver }
  | { kind: 'merging' }
  | { kind: 'over'; state: 'merged' | 'skip_merged' | 'left' }
  | { kind: 'leaves'; because: string }

/**
 * Whether a merge request may be merged by its train, as everything is at this moment. `target`: the head of the target
 * branch for which its code owners must be known.
 */
export async function checkCar(
  database: Database,
  car: Pick<CarRow, 'head_sha' | 'user_id'>,
  row: MergeRequestRow,
  target?: string,
): Promise<CarCheck> {
  if (row.state === 'locked') return { kind: 'merging' }
  if (row.state === 'merged') return { kind: 'over', state: mergedBy(row) }
  const isWaiting = row.state === 'opened' && isForTrain(row) && row.merge_user_id === car.user_id
  if (!isWaiting || mergeParamsOf(row).sha !== car.head_sha) return { kind: 'over', state: 'left' }
  if (row.head_sha !== car.head_sha) return { kind: 'leaves', because: 'the source branch was updated' }
  const giver = await giverNow(database, { userId: row.merge_user_id, projectId: row.project_id })
  if (!giver || !(await mayMergeInto(database, giver, row.target_branch))) {
    return { kind: 'leaves', because: 'the user who has added it may not merge any more' }
  }
  const because = await refusalNow(database, giver, row, target)
  return because === undefined ? { kind: 'stays', giver } : { kind: 'leaves', because }
}

/** A user who merges it at once does so with options of their own. */
function mergedBy(row: MergeRequestRow): 'merged' | 'skip_merged' {
  return mergeParamsOf(row).auto_merge_strategy === 'merge_train' ? 'merged' : 'skip_merged'
}

/** The pipeline of the train replaces that of the source branch. */
async function refusalNow(
  database: Database,
  { project }: Giver,
  row: MergeRequestRow,
  target: string | undefined,
): Promise<string | undefined> {
  const changed = changedSinceAsked(row, project)
  if (changed !== undefined) return changed
  const facts = await mergeFacts(database, project, row, {
    source: row.head_sha ?? undefined,
    ...(target !== undefined && { target }),
  })
  const refusal = mergeRefusal({ ...facts, pipeline: 'success' })
  return refusal && REASONS[refusal]
}

const REASONS: Record<MergeRefusal, string> = {
  locked: 'it is being merged',
  not_open: 'it is not open',
  draft_status: 'it is a draft',
  discussions_not_resolved: 'a discussion is not resolved',
  ci_must_pass: 'its pipeline has not passed',
  ci_still_running: 'its pipeline is running',
  not_approved: 'approvals are missing',
  status_checks_must_pass: 'a status check has not passed',
}

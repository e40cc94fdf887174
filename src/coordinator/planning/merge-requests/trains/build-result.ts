import type { RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { withChangeSlot } from '../../../hosting/repositories/change/change-refs.js'
import { MergeConflictError } from '../../../hosting/repositories/change/errors.js'
import { fetchCommit } from '../../../hosting/repositories/change/fetch-commit.js'
import { refOfMergeRequest } from '../../../hosting/repositories/change/merge-request-refs.js'
import { rebaseCommits } from '../../../hosting/repositories/change/rebase-commits.js'
import { moveRefs } from '../../../hosting/repositories/compared-branches.js'
import { ApiError } from '../../../http/errors.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { type CarRow, updateActiveCar } from '../../stores/merge-train-store.js'
import { mergeParamsOf } from '../merge-params.js'
import { writeCommits } from '../merge/prepare-merge.js'
import type { TrainDeps } from './train-deps.js'

/**
 * Merges a car into a commit by the method of the project, and stores the result, or that they conflict. `merger`: the user
 * who has added the car. A project whose history is linear gets the commits of the car rebased.
 */
export async function buildResult(
  deps: TrainDeps,
  merger: RefChanger,
  { car, row, parent }: { car: CarRow; row: MergeRequestRow; parent: string },
): Promise<void> {
  const { pushes } = deps
  const written = await write(deps, merger, row, { target: parent, source: car.head_sha })
  if (written) {
    const gitDir = pushes.repositories.path(row.project_id)
    await withChangeSlot(pushes, merger, () =>
      moveRefs(gitDir, { [refOfMergeRequest(row.iid, 'train')]: written.head }),
    )
  }
  await updateActiveCar(pushes.database, car.id, {
    parent_sha: parent,
    commit_sha: written?.head ?? null,
    merge_commit_sha: written?.mergeCommit ?? null,
    squash_commit_sha: written?.squashCommit ?? null,
  })
}

/** Undefined if the commits conflict. */
async function write(
  deps: TrainDeps,
  merger: RefChanger,
  row: MergeRequestRow,
  heads: { target: string; source: string },
) {
  const { pushes } = deps
  const { repositories } = pushes
  const isThere = (await repositories.commitOf(row.project_id, heads.source)) !== undefined
  if (!isThere && row.source_project_id !== null) {
    await fetchCommit(pushes, merger, row.source_project_id, heads.source)
  }
  try {
    const source = await rebased(deps, merger, heads)
    return await writeCommits(deps, merger, row, mergeParamsOf(row), { ...heads, source })
  } catch (error) {
    const isConflict =
      error instanceof MergeConflictError || (error instanceof ApiError && error.status === 422)
    if (isConflict) return undefined
    throw error
  }
}

function rebased(
  { pushes }: TrainDeps,
  merger: RefChanger,
  { target, source }: { target: string; source: string },
): Promise<string> {
  const { project, user, signal } = merger
  if (project.merge_method === 'merge') return Promise.resolve(source)
  const gitDir = pushes.repositories.path(project.id)
  return withChangeSlot(pushes, merger, () =>
    rebaseCommits(gitDir, { source, onto: target, committer: user }, signal),
  )
}

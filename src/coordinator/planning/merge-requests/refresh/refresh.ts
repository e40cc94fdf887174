import type { BlobStore } from '../../../ci/storage/blob-store.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { copyMissingObjects } from '../../../hosting/lfs/copy-objects.js'
import {
  fetchHead,
  mergeCommitOf,
  refOfMergeRequest,
  writeTrialMerge,
} from '../../../hosting/repositories/change/merge-request-refs.js'
import { isAncestor } from '../../../hosting/repositories/changed-files.js'
import { compareBranches, moveRefs, refsToKeep } from '../../../hosting/repositories/compared-branches.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import {
  findMergeRequestById,
  insertVersion,
  latestVersion,
  lockMergeRequest,
  markVersionReported,
  type MergeRequestRow,
  updateMergeRequestRow,
  type VersionRow,
} from '../../stores/merge-request-store.js'
import { findCodeOwners } from '../code-owners/find-code-owners.js'
import type { RefreshListeners } from './listeners.js'

export interface RefreshDeps {
  database: Database
  blobs: BlobStore
  repositories: Pick<Repositories, 'path' | 'readFile' | 'resolveRef' | 'withSlot'>
  listeners: RefreshListeners
}

interface Heads {
  target: string
  source: string
}

/**
 * Compares an open merge request with its branches: stores a version if the source branch has moved, marks it
 * as merged if the target branch contains it, and finds out whether the branches conflict. Every step can be
 * repeated, so that a refresh that was interrupted is done again from the beginning. `pushedById`: the user
 * whose push is the reason.
 */
export async function refreshMergeRequest(
  deps: RefreshDeps,
  id: number,
  pushedById: number | null,
  signal: AbortSignal,
): Promise<void> {
  const row = await findMergeRequestById(deps.database, id)
  if (row?.state !== 'opened') return
  const heads = await headsOf(deps, row)
  if (!heads) return markUnmergeable(deps, row)
  await copyHead(deps, row, heads.source, signal)
  const version = await storeVersion(deps, row, heads, pushedById)
  if (!version) return // it is not open any more
  await findCodeOwners(deps, row, heads)
  await deps.listeners.onCompared?.(row, version, signal)
  if (await isMergedByPush(deps, row, version, heads)) {
    await markMergedByPush(deps, row, heads, pushedById)
    return
  }
  await findConflicts(deps, row, heads, signal)
}

async function headsOf(
  { repositories }: RefreshDeps,
  { project_id, source_project_id, source_branch, target_branch }: MergeRequestRow,
): Promise<Heads | undefined> {
  if (source_project_id === null) return undefined
  const source = await repositories.resolveRef(source_project_id, `refs/heads/${source_branch}`)
  const target = await repositories.resolveRef(project_id, `refs/heads/${target_branch}`)
  return source && target && { source: source.sha, target: target.sha }
}

/** A branch is missing: nothing can be merged, and the last version stays. */
async function markUnmergeable({ database }: RefreshDeps, { id }: MergeRequestRow): Promise<void> {
  await inTransaction(database, async (tx) => {
    const row = await lockMergeRequest(tx, id)
    if (row?.state !== 'opened') return
    const checked = { checked_head_sha: null, checked_target_sha: null }
    await updateMergeRequestRow(tx, row, { merge_status: 'cannot_be_merged', ...checked })
  })
}

/**
 * Makes the head of the source branch a ref of the target project, which keeps its commits, and copies their
 * Git LFS objects.
 */
async function copyHead(
  { database, blobs, repositories }: RefreshDeps,
  row: MergeRequestRow,
  source: string,
  signal: AbortSignal,
): Promise<void> {
  const { project_id, source_project_id, source_branch, iid } = row
  const gitDir = repositories.path(project_id)
  const isFork = source_project_id !== null && source_project_id !== project_id
  const from = { gitDir: repositories.path(source_project_id ?? project_id), branch: source_branch }
  await repositories.withSlot(
    project_id,
    'inner',
    () =>
      isFork
        ? fetchHead(gitDir, from, iid, signal)
        : moveRefs(gitDir, { [refOfMergeRequest(iid, 'head')]: source }),
    signal,
  )
  if (!isFork) return
  const commits = {
    source: source_project_id,
    target: project_id,
    gitDir,
    ref: refOfMergeRequest(iid, 'head'),
  }
  await copyMissingObjects({ database, blobs }, commits, signal)
}

/**
 * Stores a version if the source branch has moved, and reports it. Returns the latest one; undefined if the
 * merge request is not open any more.
 */
async function storeVersion(
  deps: RefreshDeps,
  { id, project_id }: MergeRequestRow,
  heads: Heads,
  pushedById: number | null,
): Promise<VersionRow | undefined> {
  const { database, repositories, listeners } = deps
  const known = await latestVersion(database, id)
  const isKnown = known?.head_sha === heads.source
  if (isKnown && known.reported) return known
  const compared = isKnown
    ? undefined
    : await repositories.withSlot(project_id, 'inner', async () => {
        const gitDir = repositories.path(project_id)
        await moveRefs(gitDir, refsToKeep([heads.source, heads.target]))
        return compareBranches(gitDir, heads)
      })
  const change = await inTransaction(database, async (tx) => {
    const before = await lockMergeRequest(tx, id)
    const latest = await latestVersion(tx, id)
    if (before?.state !== 'opened') return undefined
    if (!compared || latest?.id !== known?.id) {
      return latest && { row: before, version: latest, previousHead: null, pushedById }
    }
    const now = Date.now()
    const version = await insertVersion(tx, {
      merge_request_id: id,
      head_sha: heads.source,
      base_sha: compared.base,
      start_sha: heads.target,
      commit_count: compared.commits,
      file_count: compared.files,
      pushed_by_id: pushedById,
      created_at: now,
    })
    const row = await updateMergeRequestRow(tx, before, {
      head_sha: heads.source,
      prepared_at: before.prepared_at ?? now,
      merge_status: 'unchecked',
      ...(latest && { updated_at: now }),
    })
    const made = { row, version, previousHead: latest?.head_sha ?? null, pushedById }
    await listeners.onVersion?.(tx, made)
    return made
  })
  if (!change) return undefined
  await listeners.afterVersion?.(change)
  await markVersionReported(database, change.version.id)
  return change.version
}

/** A branch without commits of its own is contained in the target, but was not merged. */
async function isMergedByPush(
  { repositories }: RefreshDeps,
  { project_id }: MergeRequestRow,
  { commit_count }: VersionRow,
  { source, target }: Heads,
): Promise<boolean> {
  if (commit_count === 0) return false
  return repositories.withSlot(project_id, 'inner', () =>
    isAncestor(repositories.path(project_id), source, target),
  )
}

async function markMergedByPush(
  { database, repositories, listeners }: RefreshDeps,
  { id, project_id }: MergeRequestRow,
  heads: Heads,
  userId: number | null,
): Promise<void> {
  const commit = await repositories.withSlot(project_id, 'inner', () =>
    mergeCommitOf(repositories.path(project_id), heads),
  )
  await inTransaction(database, async (tx) => {
    const before = await lockMergeRequest(tx, id)
    if (before?.state !== 'opened') return
    const now = Date.now()
    const row = await updateMergeRequestRow(tx, before, {
      state: 'merged',
      merged_at: now,
      merged_by_id: userId,
      merge_user_id: userId,
      merge_commit_sha: commit ?? null,
      merge_status: 'can_be_merged',
      merge_error: null,
      merge_when_pipeline_succeeds: false,
      updated_at: now,
    })
    await listeners.onMerged?.(tx, before, row)
  })
}

async function findConflicts(
  { database, repositories, listeners }: RefreshDeps,
  { id, iid, project_id }: MergeRequestRow,
  heads: Heads,
  signal: AbortSignal,
): Promise<void> {
  const gitDir = repositories.path(project_id)
  const merged = await repositories.withSlot(
    project_id,
    'inner',
    async () => {
      const commit = await writeTrialMerge(gitDir, heads, signal)
      if (commit !== undefined) await moveRefs(gitDir, { [refOfMergeRequest(iid, 'merge')]: commit })
      return commit
    },
    signal,
  )
  const merge_status = merged === undefined ? 'cannot_be_merged' : 'can_be_merged'
  await inTransaction(database, async (tx) => {
    const before = await lockMergeRequest(tx, id)
    if (before?.state !== 'opened') return
    const checked = { checked_head_sha: heads.source, checked_target_sha: heads.target }
    const row = await updateMergeRequestRow(tx, before, { merge_status, ...checked })
    if (before.merge_status === merge_status) return
    if (merged === undefined) await listeners.onConflict?.(tx, row)
    else await listeners.onConflictSolved?.(tx, row)
  })
}

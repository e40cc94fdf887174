import { isUtf8 } from 'node:buffer'

import { ObjectTooLargeError } from '../../../../git/errors.js'
import { DEVELOPER } from '../../../access/access-levels.js'
import {
  changeRefs,
  checkMayChange,
  type RefChanger,
  withChangeSlot,
} from '../../../hosting/repositories/change/change-refs.js'
import { type TrialMerge, tryMerge } from '../../../hosting/repositories/change/conflicting-files.js'
import {
  FileChangeError,
  RefsMovedError,
  RefsRefusedError,
} from '../../../hosting/repositories/change/errors.js'
import { fetchCommit } from '../../../hosting/repositories/change/fetch-commit.js'
import { writeCommit } from '../../../hosting/repositories/change/write-commit.js'
import { writeTree } from '../../../hosting/repositories/change/write-tree.js'
import { mergeBase } from '../../../hosting/repositories/changed-files.js'
import { apiError, invalidParameters } from '../../../http/errors.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { type BackgroundDeps, changerInBackground } from '../merge/person-in-project.js'
import { cannotBeMerged, sourceHead } from '../merge/prepare-merge.js'
import { type Conflicts, MAX_FILE_BYTES, MAX_FILES, type ResolveConflicts } from './schema.js'

interface Opened {
  /** The user, in the source project. */
  changer: RefChanger
  source: string
  target: string
  merge: TrialMerge
}

interface Request {
  userId: number
  row: MergeRequestRow
  signal: AbortSignal
}

/**
 * The files of a merge request with conflicts, for users who may push to its source branch. Throws 403 for others, 405 for
 * one that is not open, and 422 if a branch is missing.
 */
export async function listConflicts(deps: BackgroundDeps, request: Request): Promise<Conflicts> {
  const opened = await openMerge(deps, request)
  const { source, target, merge } = opened
  const files = []
  for (const path of merge.paths.slice(0, MAX_FILES))
    files.push({ path, content: (await conflictingText(deps, opened, path)) ?? null })
  return { source_sha: source, target_sha: target, files }
}

/**
 * Merges the target branch into the source branch with the given contents of the files with conflicts, as a push of the user.
 * Throws as `listConflicts`, 409 if a branch has other commits than the user has seen, and 400 for files that are not
 * those with conflicts, or that have markers.
 */
export async function resolveConflicts(
  deps: BackgroundDeps,
  request: Request,
  { source_sha, target_sha, files, commit_message: message }: ResolveConflicts,
): Promise<string> {
  const { row, signal } = request
  const { pushes } = deps
  const opened = await openMerge(deps, request, { source_sha, target_sha })
  const { changer, source, target, merge } = opened
  await checkFiles(deps, opened, files)
  const { project, user } = changer
  const branch = row.source_branch
  const reading = { ...pushes.repositories.reading(project.id, signal), acquireSlot: slotOfCaller }
  try {
    const commit = await withChangeSlot(pushes, changer, async () => {
      const actions = files.map(({ path, content }) => ({
        action: 'update' as const,
        path,
        content: Buffer.from(content),
      }))
      const tree = await writeTree(reading, merge.tree, actions)
      const text = message ?? `Merge branch '${row.target_branch}' into '${branch}'`
      const parents = [source, target]
      return writeCommit(reading.gitDir, { tree, parents, message: text, author: user, committer: user })
    })
    await changeRefs(pushes, changer, [{ ref: `refs/heads/${branch}`, before: source, after: commit }])
    return commit
  } catch (error) {
    if (error instanceof RefsMovedError) throw apiError('conflicts_outdated', {}, { cause: error })
    if (error instanceof RefsRefusedError) throw apiError('source_branch_forbidden', {}, { cause: error })
    if (error instanceof FileChangeError) throw apiError('change_refused', { reason: error.message })
    throw error
  }
}

/** The caller holds one slot for all steps. */
const slotOfCaller = () => Promise.resolve(() => {})

/** @param seen the heads that the user has seen */
async function openMerge(
  deps: BackgroundDeps,
  { userId, row, signal }: Request,
  seen?: Pick<Conflicts, 'source_sha' | 'target_sha'>,
): Promise<Opened> {
  if (row.state !== 'opened') throw apiError('merge_not_allowed')
  const { pushes } = deps
  const { repositories } = pushes
  const source = await sourceHead(pushes, row)
  const target = (await repositories.resolveRef(row.project_id, `refs/heads/${row.target_branch}`))?.sha
  if (source === undefined || target === undefined || row.source_project_id === null) throw cannotBeMerged()
  const changer = await changerInBackground(deps, { projectId: row.source_project_id, userId }, signal)
  if (!changer || changer.accessLevel < DEVELOPER) throw apiError('source_branch_forbidden')
  try {
    const ref = `refs/heads/${row.source_branch}`
    await checkMayChange(pushes, changer, [{ ref, before: source, after: source }])
  } catch (error) {
    if (error instanceof RefsRefusedError) throw apiError('source_branch_forbidden', {}, { cause: error })
    throw error
  }
  if (seen && (seen.source_sha !== source || seen.target_sha !== target)) throw apiError('conflicts_outdated')
  const projectId = changer.project.id
  if ((await repositories.commitOf(projectId, target)) === undefined)
    await fetchCommit(pushes, changer, row.project_id, target)
  const gitDir = repositories.path(projectId)
  if ((await mergeBase(gitDir, source, target)) === undefined) throw cannotBeMerged()
  const sides = { ours: source, theirs: target }
  const merge = await withChangeSlot(pushes, changer, () => tryMerge(gitDir, sides, signal))
  return { changer, source, target, merge }
}

const MARKER = /^(?:<{7}|>{7}) /m

/** The text with markers; undefined for what is resolved with git alone. */
async function conflictingText(
  { pushes }: BackgroundDeps,
  { changer, merge }: Opened,
  path: string,
): Promise<string | undefined> {
  const { objects } = pushes.repositories.reading(changer.project.id, changer.signal)
  try {
    const object = await objects.read(`${merge.tree}:${path}`, MAX_FILE_BYTES)
    if (object?.type !== 'blob' || object.content.includes(0) || !isUtf8(object.content)) return undefined
    const text = object.content.toString('utf8')
    return MARKER.test(text) ? text : undefined
  } catch (error) {
    if (!(error instanceof ObjectTooLargeError)) throw error
    return undefined
  }
}

async function checkFiles(
  deps: BackgroundDeps,
  opened: Opened,
  files: ResolveConflicts['files'],
): Promise<void> {
  const given = new Map(files.map(({ path, content }) => [path, content]))
  const isWhole = given.size === files.length && opened.merge.paths.every((path) => given.has(path))
  if (!isWhole || given.size !== opened.merge.paths.length)
    throw invalidParameters('files: they are not the files with conflicts')
  for (const [path, content] of given) {
    if (MARKER.test(content)) throw invalidParameters(`files: ${path} still has the marker of a conflict`)
    if ((await conflictingText(deps, opened, path)) === undefined)
      throw invalidParameters(`files: ${path} can only be resolved with git`)
  }
}

import { ZERO_ID } from '../../../../git/names.js'
import type { Project } from '../../../access/caller.js'
import { lastCommitOf } from '../browse/commit-log.js'
import { hasRefs, type Reading } from '../browse/reading.js'
import { problemOfNewRef } from '../new-ref-problem.js'
import type { PushDeps } from '../push/handle-push.js'
import { commitOfRef } from '../revisions.js'
import { changeRefs, checkMayChange, type RefChanger, withChangeSlot } from './change-refs.js'
import { BranchNotFoundError, FileChangeError } from './errors.js'
import { fetchCommit } from './fetch-commit.js'
import { mergeTrees, treeOf } from './merge-trees.js'
import { type Signature, writeCommit } from './write-commit.js'
import { type FileAction, writeTree } from './write-tree.js'

export interface FileCommit {
  branch: string
  message: string
  author: Signature
  actions: FileAction[]
  /** Expected last commit of each path, for edits that are based on it. */
  lastCommits: { path: string; commit: string }[]
  /** Start of a new branch, or with `force` the new start of an existing one. */
  start?: { sha: string; project: Project } | { branch: string } | undefined
  force?: boolean | undefined
  /** Throws if the commit would change no file. */
  refuseUnchanged?: boolean | undefined
}

/**
 * Commits file changes to a branch without a work tree, and moves the branch as a push would. Returns the
 * SHA. If two commits change the same state at once, one gets `RefsMovedError`. Throws `FileChangeError` for
 * an invalid change and `RefsRefusedError` if the rules forbid it.
 */
export async function commitFiles(
  deps: PushDeps,
  changer: RefChanger,
  reading: Reading,
  commit: FileCommit,
): Promise<string> {
  const writing = { ...reading, acquireSlot: writingSlots(deps, changer) }
  const { branch } = commit
  const problem = problemOfNewRef('branch', branch)
  if (problem !== undefined) throw new FileChangeError(problem)
  const tip = await commitOfRef(deps.repositories, changer.project, 'branch', branch)
  const base = await baseOf(deps, changer, writing, commit, tip)
  const change = (after: string) => [{ ref: `refs/heads/${branch}`, before: tip ?? ZERO_ID, after }]
  // Before objects are written: the user may not be allowed to change the branch at all.
  await checkMayChange(
    deps,
    changer,
    change(base ?? tip ?? ZERO_ID).filter(({ after }) => after !== ZERO_ID),
  )
  await checkLastCommits(writing, base, commit)
  const sha = await withChangeSlot(deps, changer, () => written(reading, changer, base, commit))
  await changeRefs(deps, changer, change(sha))
  return sha
}

/** Reads for a commit use the pool `writing`, so that they do not wait for readers. */
function writingSlots({ repositories }: PushDeps, { project }: RefChanger): Reading['acquireSlot'] {
  return (until) => repositories.acquireSlot(project.id, 'writing', until)
}

/**
 * Writes the commit, which no ref points to yet, and returns its SHA. The caller holds one slot for all
 * steps.
 */
async function written(
  reading: Reading,
  { user }: RefChanger,
  base: string | undefined,
  commit: FileCommit,
): Promise<string> {
  const tree = await writeTree({ ...reading, acquireSlot: slotOfCaller }, base, commit.actions)
  if (commit.refuseUnchanged && base !== undefined && tree === (await treeOf(reading.gitDir, base))) {
    throw new FileChangeError('The commit does not change the file')
  }
  return writeCommit(reading.gitDir, {
    tree,
    parents: base === undefined ? [] : [base],
    message: commit.message,
    author: commit.author,
    committer: user,
  })
}

async function slotOfCaller(): Promise<() => void> {
  return () => undefined
}

/** Parent of the new commit; undefined for the first commit of a repository. */
async function baseOf(
  deps: PushDeps,
  changer: RefChanger,
  reading: Reading,
  { branch, start, force }: FileCommit,
  tip: string | undefined,
): Promise<string | undefined> {
  const startSha = start && (await startOf(deps, changer, reading, start))
  const isOther = start !== undefined && !('branch' in start && start.branch === branch)
  if (tip !== undefined && isOther && !force) {
    throw new FileChangeError(
      `A branch called '${branch}' already exists. Switch to that branch in order to make changes`,
    )
  }
  const base = startSha ?? tip
  if (base === undefined && (await hasRefs(reading))) {
    throw new FileChangeError('You can only create or edit files when you are on a branch')
  }
  return base
}

async function startOf(
  deps: PushDeps,
  changer: RefChanger,
  reading: Reading,
  start: NonNullable<FileCommit['start']>,
): Promise<string | undefined> {
  const { project } = changer
  if ('branch' in start) {
    const sha = await commitOfRef(deps.repositories, project, 'branch', start.branch)
    if (sha !== undefined || !(await hasRefs(reading))) return sha
    throw new FileChangeError('You can only create or edit files when you are on a branch')
  }
  if (start.project.id !== project.id) await fetchCommit(deps, changer, start.project.id, start.sha)
  return start.sha
}

async function checkLastCommits(
  reading: Reading,
  base: string | undefined,
  { lastCommits }: FileCommit,
): Promise<void> {
  for (const { path, commit } of lastCommits) {
    const last = base === undefined ? undefined : await lastCommitOf(reading, base, path)
    if (last !== commit)
      throw new FileChangeError('The file has changed since you started editing it.', { isStale: true })
  }
}

export interface Transplant {
  /** The commit to cherry-pick or revert. */
  sha: string
  /** First parent of the commit; undefined for the first commit of a history. */
  parent: string | undefined
  isRevert: boolean
  branch: string
  message: string
  author: Signature
  /** Whether to check the change only. */
  dryRun: boolean
}

/**
 * Applies the change of a commit, or its inverse, on top of a branch. Returns the SHA of the new commit, or
 * undefined for a dry run. Throws `MergeConflictError` on conflicts and `BranchNotFoundError` for an unknown
 * branch.
 */
export async function transplant(
  deps: PushDeps,
  changer: RefChanger,
  { gitDir, signal }: Reading,
  { sha, parent, isRevert, branch, message, author, dryRun }: Transplant,
): Promise<string | undefined> {
  const tip = await commitOfRef(deps.repositories, changer.project, 'branch', branch)
  if (tip === undefined) throw new BranchNotFoundError(branch)
  const ref = `refs/heads/${branch}`
  await checkMayChange(deps, changer, [{ ref, before: tip, after: tip }])
  const sides = isRevert ? { base: sha, theirs: parent } : { base: parent, theirs: sha }
  const after = await withChangeSlot(deps, changer, async () => {
    const tree = await mergeTrees(gitDir, { ...sides, ours: tip }, signal)
    if (dryRun) return undefined
    return writeCommit(gitDir, { tree, parents: [tip], message, author, committer: changer.user })
  })
  if (after === undefined) return undefined
  await changeRefs(deps, changer, [{ ref, before: tip, after }])
  return after
}

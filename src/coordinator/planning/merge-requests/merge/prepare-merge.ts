import { runGit } from '../../../../git/run-git.js'
import { type RefChanger, withChangeSlot } from '../../../hosting/repositories/change/change-refs.js'
import { MergeConflictError, NotFastForwardError } from '../../../hosting/repositories/change/errors.js'
import { fetchCommit } from '../../../hosting/repositories/change/fetch-commit.js'
import type { Signature } from '../../../hosting/repositories/change/write-commit.js'
import { writeMerge, type WrittenMerge } from '../../../hosting/repositories/change/write-merge.js'
import type { PushDeps } from '../../../hosting/repositories/push/handle-push.js'
import { type ApiError, apiError } from '../../../http/errors.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import type { MergeOptions, MergeTerms } from '../merge-params.js'
import { mergeTerms } from '../merge-terms.js'
import { squashOf } from '../metadata.js'
import { mergeMessage, type MessageFacts, squashMessage } from './merge-message.js'
import { type MessagePeople, messagePeople } from './store.js'

export interface MergeDeps {
  pushes: PushDeps
  /** Without a trailing slash. */
  externalUrl: string
}

/** Commits of a merge that no ref points to yet. */
export interface PreparedMerge extends WrittenMerge {
  /** Head of the target branch from which the merge starts. */
  target: string
  /** Head of the source branch that is merged. */
  source: string
  /** What was merged into what, and how. */
  terms: MergeTerms
}

/** 422 for a merge that git cannot make: a conflict, a missing branch (API, F4). */
export function cannotBeMerged(cause?: unknown): ApiError {
  return apiError('branch_not_mergeable', {}, { cause })
}

/** 409 for an expected head that is not the head of the source branch (API, F4). */
export function otherHead(head: string): ApiError {
  return apiError('sha_mismatch', { head })
}

/** Head of the source branch; undefined if the branch or its project no longer exists. */
export async function sourceHead(
  { repositories }: Pick<PushDeps, 'repositories'>,
  { source_project_id, source_branch }: MergeRequestRow,
): Promise<string | undefined> {
  if (source_project_id === null) return undefined
  return (await repositories.resolveRef(source_project_id, `refs/heads/${source_branch}`))?.sha
}

/**
 * Writes the commits of a merge by the method of the project. Throws 422 if the branches cannot be merged, and 409
 * if the head of the source branch is not the expected one.
 */
export async function prepareMerge(
  deps: MergeDeps,
  merger: RefChanger,
  row: MergeRequestRow,
  options: MergeOptions,
): Promise<PreparedMerge> {
  const { pushes } = deps
  const { project } = merger
  const { repositories } = pushes
  const target = (await repositories.resolveRef(project.id, `refs/heads/${row.target_branch}`))?.sha
  const source = await sourceHead(pushes, row)
  if (target === undefined || source === undefined || row.source_project_id === null) throw cannotBeMerged()
  if ((await repositories.commitOf(project.id, source)) === undefined) {
    await fetchCommit(pushes, merger, row.source_project_id, source)
  }
  const written = await writeCommits(deps, merger, row, options, { target, source })
  if (options.sha !== undefined && options.sha !== source) throw otherHead(source)
  return { ...written, target, source, terms: mergeTerms(row, project, options) }
}

/**
 * Writes the commits of the merge of two commits that the target project has. Throws 422 if they cannot be merged. `row`
 * and `options` say how.
 */
export async function writeCommits(
  deps: MergeDeps,
  merger: RefChanger,
  row: MergeRequestRow,
  options: MergeOptions,
  heads: { target: string; source: string },
): Promise<WrittenMerge> {
  const { pushes } = deps
  const { project, user, signal } = merger
  const gitDir = pushes.repositories.path(project.id)
  const squashes = squashOf(project, options.squash ?? row.squash)
  const people = await messagePeople(pushes.database, project, row)
  const facts = async () => ({
    ...factsOf(deps, merger, row, people),
    ...(await commitFacts(gitDir, heads, people.author)),
  })
  const { merge_commit_message, squash_commit_message } = options
  const { merge_method: method, merge_commit_template, squash_commit_template } = project
  try {
    return await withChangeSlot(pushes, merger, async () =>
      writeMerge(
        gitDir,
        {
          ...heads,
          method,
          message: merge_commit_message ?? mergeMessage(merge_commit_template, await facts()),
          committer: user,
          squash: squashes
            ? {
                message: squash_commit_message ?? squashMessage(squash_commit_template, await facts()),
                author: people.author,
              }
            : undefined,
        },
        signal,
      ),
    )
  } catch (error) {
    if (error instanceof MergeConflictError || error instanceof NotFastForwardError) {
      throw cannotBeMerged(error)
    }
    throw error
  }
}

function factsOf(
  { externalUrl }: MergeDeps,
  { project, user }: RefChanger,
  row: MergeRequestRow,
  { author, reviewers, approvers, issues }: MessagePeople,
): Omit<MessageFacts, 'commits' | 'coAuthors'> {
  return {
    sourceBranch: row.source_branch,
    targetBranch: row.target_branch,
    title: row.title,
    description: row.description ?? '',
    reference: `${project.full_path}!${row.iid}`,
    localReference: `!${row.iid}`,
    url: `${externalUrl}/${project.full_path}/-/merge_requests/${row.iid}`,
    issues,
    author: personOf(author),
    mergedBy: personOf(user),
    reviewedBy: reviewers.map(personOf),
    approvedBy: approvers.map(personOf),
  }
}

function personOf({ name, email }: Signature): string {
  return `${name} <${email}>`
}

/** Maximum number of commits whose messages and authors are read. */
const MAX_COMMITS = 1000

/** Messages, oldest first, and other authors of the commits that are merged. */
async function commitFacts(
  gitDir: string,
  { target, source }: { target: string; source: string },
  author: Signature,
): Promise<Pick<MessageFacts, 'commits' | 'coAuthors'>> {
  const walk = ['--no-merges', `--max-count=${MAX_COMMITS}`, '-z', '--format=%an <%ae>%n%B']
  const range = ['--end-of-options', `${target}..${source}`]
  const output = await runGit(['--git-dir', gitDir, 'log', ...walk, ...range])
  const commits = output
    .split('\0')
    .filter((text) => text !== '')
    .toReversed()
  const lines = commits.map((text) => text.split('\n'))
  const authors = new Set(lines.map(([person = '']) => person))
  return {
    commits: lines.map(([, ...message]) => message.join('\n')),
    coAuthors: [...authors].filter((person) => person !== personOf(author)),
  }
}

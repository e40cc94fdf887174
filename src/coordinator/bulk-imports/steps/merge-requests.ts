import { compareBranches } from '../../hosting/repositories/compared-branches.js'
import { UnavailableError } from '../errors.js'
import { apiPath, type EntityRun, type Step } from '../run.js'
import {
  type SourceMergeRequest as MergeRequest,
  SourceMergeRequest,
  sourceReader,
  SourceVersion,
} from '../source/records.js'
import { importDiscussions } from './discussions.js'
import { listStep } from './list-step.js'
import { withOrigin } from './origin.js'
import { hasCommit, partNamed, projectOf, targetOf } from './owners.js'

/** Merge requests with their latest version and their comments. */
export const mergeRequestStep: Step = listStep({
  kind: 'merge_requests',
  path: 'merge_requests?scope=all&state=all&with_labels_details=false&order_by=created_at&sort=asc',
  schema: SourceMergeRequest,
  keyOf: ({ id }) => id,
  nameOf: ({ iid, title }) => `!${iid} ${title}`,
  write: async (run, mergeRequest, onWritten) => {
    const people = await run.people.authors(run.importer, peopleIn(mergeRequest))
    const value = await mergeRequestRecord(run, mergeRequest, people)
    await partNamed(run, 'merge_requests').write(targetOf(run, { people, onWritten }), value)
  },
  afterPage: (run, mergeRequests) => importDiscussions(run, 'merge_requests', mergeRequests),
  // Deletes the refs of those that were not imported.
  finish: async (run) => partNamed(run, 'merge_requests').finish?.(targetOf(run)),
})

function peopleIn({ author, closed_by, merged_by, merge_user, assignees, reviewers }: MergeRequest) {
  return [author, closed_by, merged_by, merge_user, ...(assignees ?? []), ...(reviewers ?? [])]
}

/** The merge request as a record of an archive. */
async function mergeRequestRecord(run: EntityRun, from: MergeRequest, people: ReadonlyMap<string, number>) {
  const { iid, title, author, source_branch, target_branch, created_at, updated_at, time_stats } = from
  // The merge that is being made there is not made here.
  const state = from.state === 'locked' ? 'opened' : from.state
  const isFromFork = (from.source_project_id ?? from.target_project_id) !== from.target_project_id
  const version = await latestVersion(run, { ...from, state, isFromFork })
  const known = (person: MergeRequest['author']) =>
    person && people.has(person.username) ? person.username : null
  return {
    iid,
    title,
    state,
    description: withOrigin(run, from.description, author, people),
    source_branch,
    target_branch,
    from_other_project: isFromFork,
    labels: from.labels ?? [],
    milestone: from.milestone?.title ?? null,
    author: author?.username,
    assignees: (from.assignees ?? []).map(({ username }) => username),
    reviewers: (from.reviewers ?? []).map(({ username: user }) => ({
      user,
      state: 'unreviewed',
      created_at,
    })),
    discussion_locked: from.discussion_locked ?? null,
    squash: from.squash ?? false,
    head_sha: version?.head_sha ?? (await knownCommit(run, from.sha)),
    merge_status: STATUSES.includes(from.merge_status ?? '') ? from.merge_status : 'unchecked',
    merge_commit_sha: await knownCommit(run, from.merge_commit_sha),
    squash_commit_sha: await knownCommit(run, from.squash_commit_sha),
    merged_at: from.merged_at ?? null,
    merged_by: known(from.merged_by ?? from.merge_user),
    merge_user: known(from.merge_user ?? from.merged_by),
    closed_at: from.closed_at ?? null,
    closed_by: known(from.closed_by),
    time_estimate: time_stats?.time_estimate ?? 0,
    total_time_spent: time_stats?.total_time_spent ?? 0,
    prepared_at: version ? created_at : null,
    created_at,
    updated_at,
    versions: version ? [version] : [],
  }
}

const STATUSES = ['can_be_merged', 'cannot_be_merged']

/** Commits that the repository does not have are left out. */
async function knownCommit(run: EntityRun, sha: string | null | undefined): Promise<string | null> {
  return sha && (await hasCommit(run, sha)) ? sha : null
}

/**
 * The latest version, if the repository has its commits. That of an open merge request is made of its branches, as they are
 * now: the comparison that follows would take another one for a push, and start a pipeline for it.
 */
async function latestVersion(run: EntityRun, of: MergeRequest & { isFromFork: boolean }) {
  const isOpen = of.state === 'opened' && !of.isFromFork
  const heads = isOpen ? await headsOfBranches(run, of) : await headsOnSource(run, of)
  if (!heads) return undefined
  const { repositories } = run.deps
  const { id } = projectOf(run)
  const compare = () => compareBranches(repositories.path(id), heads)
  const { base, commits, files } = await repositories.withSlot(id, 'tasks', compare, run.signal)
  return {
    head_sha: heads.source,
    start_sha: heads.target,
    base_sha: base,
    commit_count: commits,
    file_count: files,
    created_at: heads.created_at,
  }
}

interface Heads {
  source: string
  target: string
  created_at: string
}

async function headsOfBranches(
  run: EntityRun,
  { source_branch, target_branch, updated_at }: MergeRequest,
): Promise<Heads | undefined> {
  const { repositories } = run.deps
  const { id } = projectOf(run)
  const source = await repositories.resolveRef(id, `refs/heads/${source_branch}`)
  const target = await repositories.resolveRef(id, `refs/heads/${target_branch}`)
  return source && target && { source: source.sha, target: target.sha, created_at: updated_at }
}

const readVersion = sourceReader(SourceVersion)

async function headsOnSource(run: EntityRun, { iid }: MergeRequest): Promise<Heads | undefined> {
  const versions = await versionsOf(run, iid)
  if (!Array.isArray(versions) || versions.length === 0) return undefined
  const { head_commit_sha: source, start_commit_sha: target, created_at } = readVersion(versions[0])
  const isThere = (await hasCommit(run, source)) && (await hasCommit(run, target))
  return isThere ? { source, target, created_at } : undefined
}

/** The newest first; undefined if the source does not serve them. */
async function versionsOf(run: EntityRun, iid: number): Promise<unknown> {
  try {
    return await run.client.get(`${apiPath(run)}/merge_requests/${iid}/versions?per_page=1`)
  } catch (error) {
    if (error instanceof UnavailableError) return undefined
    throw error
  }
}

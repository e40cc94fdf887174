import { ZERO_ID } from '../../../git/names.js'
import type { Commit } from '../../../git/parse-commit.js'
import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { HookEventKind, HookTrigger } from '../../database/tables/webhooks.js'
import { commitCommentOf } from './outbox/commit-comment.js'
import { type IssueFacts, snapshotOf } from './outbox/emit-issue-event.js'
import type { MergeRequestFacts } from './outbox/emit-merge-request-event.js'
import type { NoteFacts } from './outbox/emit-note-event.js'
import type { PushFacts } from './outbox/emit-push-events.js'
import type { ReleaseFacts } from './outbox/emit-release-event.js'
import type { WikiPageFacts } from './outbox/emit-wiki-page-events.js'
import {
  type DeploymentFacts,
  JOB_COLUMNS,
  type JobFacts,
  PIPELINE_COLUMNS,
  type PipelineFacts,
} from './outbox/pipeline-facts.js'
import type { PayloadRepositories } from './payloads/payload-deps.js'

export interface SampleDeps {
  database: Database
  repositories: PayloadRepositories
  /** A page of the wiki of a project, as if the user had just created it; undefined if there is none. */
  wikiPage: (projectId: number, userId: number) => Promise<WikiPageFacts | undefined>
}

/** A sample event made from the data of the project, or an error message if the project has no such data. */
export type Sample = { kind: HookEventKind; facts: object } | string

/** Number of commits in the sample of a push. */
const COMMITS = 3

/** Names of objects that no project has, for the error message. */
const MISSING: Partial<Record<HookTrigger, string>> = {
  confidential_note_events: 'confidential notes',
  feature_flag_events: 'feature flags',
  milestone_events: 'milestones',
  emoji_events: 'emoji reactions',
  resource_access_token_events: 'access tokens about to expire',
}

export async function sampleOf(
  deps: SampleDeps,
  project: Project,
  user: User,
  trigger: HookTrigger,
): Promise<Sample> {
  switch (trigger) {
    case 'push_events':
      return pushSample(deps, project, user)
    case 'tag_push_events':
      return tagSample(deps, project, user)
    case 'repository_update_events':
      return repositoryUpdateSample(deps, project, user)
    case 'job_events':
      return (await lastJob(deps, project)) ?? ensure('CI jobs')
    case 'pipeline_events':
      return (await lastPipeline(deps, project)) ?? ensure('CI pipelines')
    case 'deployment_events':
      return (await lastDeployment(deps, project)) ?? ensure('deployments')
    case 'releases_events':
      return (await lastRelease(deps, project)) ?? ensure('releases')
    case 'issues_events':
      return (await lastIssue(deps, project, user, false)) ?? ensure('issues')
    case 'confidential_issues_events':
      return (await lastIssue(deps, project, user, true)) ?? ensure('confidential issues')
    case 'merge_requests_events':
      return (await lastMergeRequest(deps, project, user)) ?? ensure('merge requests')
    case 'note_events':
      return (await lastNote(deps, project)) ?? ensure('notes')
    case 'wiki_page_events':
      return (await someWikiPage(deps, project, user)) ?? ensure('wiki pages')
    default:
      return ensure(MISSING[trigger] ?? trigger)
  }
}

function ensure(things: string): string {
  return `Ensure the project has ${things}.`
}

const NO_COMMIT = 'Ensure the project has at least one commit.'

/** The latest commits of the default branch, as if they had just been pushed. */
async function pushSample(deps: SampleDeps, project: Project, user: User): Promise<Sample> {
  const head = await headOf(deps, project)
  if (head === undefined) return NO_COMMIT
  let commit: Commit = await deps.repositories.readCommit(project.id, head)
  for (let count = 1; count < COMMITS && commit.parentIds[0]; count++) {
    commit = await deps.repositories.readCommit(project.id, commit.parentIds[0])
  }
  const before = commit.parentIds[0] ?? ZERO_ID
  const facts: PushFacts = {
    ref: `refs/heads/${project.default_branch ?? ''}`,
    before,
    after: head,
    userId: user.id,
    options: [],
  }
  return { kind: 'push', facts }
}

/** The last tag by name, or an invented one. */
async function tagSample(deps: SampleDeps, project: Project, user: User): Promise<Sample> {
  const name = (await deps.repositories.listTags(project.id)).at(-1)
  const tagged =
    name === undefined ? undefined : await deps.repositories.resolveRef(project.id, `refs/tags/${name}`)
  const after = tagged?.sha ?? (await headOf(deps, project))
  if (after === undefined) return NO_COMMIT
  const facts: PushFacts = {
    ref: `refs/tags/${name ?? 'v1.0.0'}`,
    before: ZERO_ID,
    after,
    userId: user.id,
    options: [],
  }
  return { kind: 'tag_push', facts }
}

async function repositoryUpdateSample(deps: SampleDeps, project: Project, user: User): Promise<Sample> {
  const sample = await pushSample(deps, project, user)
  if (typeof sample === 'string') return sample
  return { ...sample, kind: 'repository_update' }
}

async function headOf(
  { repositories }: SampleDeps,
  { id, default_branch }: Project,
): Promise<string | undefined> {
  if (default_branch === null) return undefined
  return (await repositories.resolveRef(id, `refs/heads/${default_branch}`))?.sha
}

async function lastJob({ database }: SampleDeps, project: Project): Promise<Sample | undefined> {
  const job = await database
    .selectFrom('job')
    .select([...JOB_COLUMNS, 'pipeline_id'])
    .where('project_id', '=', project.id)
    .where('kind', '=', 'build')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const pipeline = job && (await pipelineState(database, project, job.pipeline_id))
  if (!job || !pipeline) return undefined
  const { pipeline_id: _, ...state } = job
  const facts: JobFacts = { job: state, pipeline }
  return { kind: 'job', facts }
}

async function lastPipeline({ database }: SampleDeps, project: Project): Promise<Sample | undefined> {
  const pipeline = await pipelineState(database, project)
  if (!pipeline) return undefined
  const jobs = await database
    .selectFrom('job')
    .select(JOB_COLUMNS)
    .where('pipeline_id', '=', pipeline.id)
    .where('retried', '=', false)
    .where('kind', '=', 'build')
    .orderBy('id')
    .execute()
  const facts: PipelineFacts = { pipeline, jobs }
  return { kind: 'pipeline', facts }
}

/** The pipeline with this id, or the latest one. */
function pipelineState(database: Database, project: Project, id?: number) {
  return database
    .selectFrom('pipeline')
    .select(PIPELINE_COLUMNS)
    .where('project_id', '=', project.id)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function lastDeployment({ database }: SampleDeps, project: Project): Promise<Sample | undefined> {
  const row = await database
    .selectFrom('deployment')
    .selectAll()
    .where('project_id', '=', project.id)
    .orderBy('iid', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, status, ref, sha } = row
  const facts: DeploymentFacts = {
    id,
    status,
    ref,
    sha,
    jobId: row.job_id,
    environmentId: row.environment_id,
    userId: row.user_id,
    changedAt: row.finished_at ?? row.updated_at,
  }
  return { kind: 'deployment', facts }
}

async function lastRelease({ database }: SampleDeps, project: Project): Promise<Sample | undefined> {
  const release = await database
    .selectFrom('release')
    .selectAll()
    .where('project_id', '=', project.id)
    .orderBy('released_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!release) return undefined
  const links = await database
    .selectFrom('release_link')
    .selectAll()
    .where('release_id', '=', release.id)
    .orderBy('id', 'desc')
    .execute()
  const facts: ReleaseFacts = { release, links, action: 'create' }
  return { kind: 'release', facts }
}

async function someWikiPage(deps: SampleDeps, project: Project, user: User): Promise<Sample | undefined> {
  const facts = await deps.wikiPage(project.id, user.id)
  return facts && { kind: 'wiki_page', facts }
}

async function lastNote({ database }: SampleDeps, project: Project): Promise<Sample | undefined> {
  const note = await database
    .selectFrom('note')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('commit_sha', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!note) return undefined
  const facts: NoteFacts = { comment: commitCommentOf(note) }
  return { kind: 'note', facts }
}

/** The latest issue, as if it had just been opened. */
async function lastIssue(
  { database }: SampleDeps,
  project: Project,
  user: User,
  confidential: boolean,
): Promise<Sample | undefined> {
  const issue = await database
    .selectFrom('issue')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('confidential', '=', confidential)
    .orderBy('iid', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!issue) return undefined
  const assignees = await database
    .selectFrom('issue_assignee')
    .select('user_id')
    .where('issue_id', '=', issue.id)
    .orderBy('position')
    .execute()
  const labels = await database
    .selectFrom('issue_label')
    .innerJoin('label', 'label.id', 'issue_label.label_id')
    .selectAll('label')
    .where('issue_label.issue_id', '=', issue.id)
    .orderBy('label.name')
    .execute()
  const ids = assignees.map(({ user_id }) => user_id)
  const after = snapshotOf(issue, ids, labels)
  const facts: IssueFacts = { after, action: 'open', userId: user.id }
  return { kind: 'issue', facts }
}

/** The latest merge request, as if it had just been opened. */
async function lastMergeRequest(
  { database }: SampleDeps,
  project: Project,
  user: User,
): Promise<Sample | undefined> {
  const mergeRequest = await database
    .selectFrom('merge_request')
    .selectAll()
    .where('project_id', '=', project.id)
    .orderBy('iid', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!mergeRequest) return undefined
  const [assignees, reviewers] = await Promise.all(
    (['merge_request_assignee', 'merge_request_reviewer'] as const).map((table) =>
      database
        .selectFrom(table)
        .select('user_id')
        .where('merge_request_id', '=', mergeRequest.id)
        .orderBy('position')
        .execute(),
    ),
  )
  const labels = await database
    .selectFrom('merge_request_label')
    .innerJoin('label', 'label.id', 'merge_request_label.label_id')
    .selectAll('label')
    .where('merge_request_label.merge_request_id', '=', mergeRequest.id)
    .orderBy('label.name')
    .execute()
  const after = {
    mergeRequest,
    assignees: (assignees ?? []).map(({ user_id }) => user_id),
    reviewers: (reviewers ?? []).map(({ user_id }) => user_id),
    labels,
  }
  const facts: MergeRequestFacts = { after, action: 'open', userId: user.id }
  return { kind: 'merge_request', facts }
}

import { type Selectable, sql, type SqlBool } from 'kysely'

import { ZERO_ID } from '../../../git/names.js'
import type { Commit } from '../../../git/parse-commit.js'
import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { IssueTable } from '../../database/tables/issues.js'
import type { MergeRequestTable } from '../../database/tables/merge-requests.js'
import type { HookEventKind, HookTrigger } from '../../database/tables/webhooks.js'
import { commitCommentOf } from './outbox/commit-comment.js'
import type { EmojiFacts } from './outbox/emit-emoji-event.js'
import type { FeatureFlagFacts } from './outbox/emit-feature-flag-event.js'
import { type IssueFacts, type IssueSnapshot, snapshotOf } from './outbox/emit-issue-event.js'
import type { MergeRequestFacts, MergeRequestSnapshot } from './outbox/emit-merge-request-event.js'
import type { MilestoneFacts } from './outbox/emit-milestone-event.js'
import type { NoteFacts, PlanningNoteFacts } from './outbox/emit-note-event.js'
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
    case 'feature_flag_events':
      return (await lastFeatureFlag(deps, project, user)) ?? ensure('feature flags')
    case 'issues_events':
      return (await lastIssue(deps, project, user, false)) ?? ensure('issues')
    case 'confidential_issues_events':
      return (await lastIssue(deps, project, user, true)) ?? ensure('confidential issues')
    case 'merge_requests_events':
      return (await lastMergeRequest(deps, project, user)) ?? ensure('merge requests')
    case 'note_events':
      return (await lastNote(deps, project, false)) ?? ensure('notes')
    case 'confidential_note_events':
      return (await lastNote(deps, project, true)) ?? ensure('confidential notes')
    case 'emoji_events':
      return (await lastEmoji(deps, project)) ?? ensure('emoji reactions')
    case 'milestone_events':
      return (await lastMilestone(deps, project)) ?? ensure('milestones')
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

/** The flag that changed last, as if the user had just turned it on or off. */
async function lastFeatureFlag(
  { database }: SampleDeps,
  project: Project,
  user: User,
): Promise<Sample | undefined> {
  const flag = await database
    .selectFrom('feature_flag')
    .selectAll()
    .where('project_id', '=', project.id)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const facts: FeatureFlagFacts | undefined = flag && { flag, userId: user.id }
  return facts && { kind: 'feature_flag', facts }
}

async function someWikiPage(deps: SampleDeps, project: Project, user: User): Promise<Sample | undefined> {
  const facts = await deps.wikiPage(project.id, user.id)
  return facts && { kind: 'wiki_page', facts }
}

/** The latest comment, as if it had just been written. */
async function lastNote(
  { database }: SampleDeps,
  project: Project,
  isConfidential: boolean,
): Promise<Sample | undefined> {
  const confidential = sql<SqlBool>`(note.internal or coalesce(issue.confidential, false))`
  const note = await database
    .selectFrom('note')
    .leftJoin('issue', 'issue.id', 'note.issue_id')
    .selectAll('note')
    .where('note.project_id', '=', project.id)
    .where('note.system', '=', false)
    .where(() => (isConfidential ? confidential : sql<SqlBool>`not ${confidential}`))
    .orderBy('note.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!note) return undefined
  const on = await subjectOf(database, note)
  const facts: NoteFacts = on ? { note, on, action: 'create' } : { comment: commitCommentOf(note) }
  return { kind: 'note', facts }
}

/** The latest emoji, as if it had just been given. */
async function lastEmoji({ database }: SampleDeps, project: Project): Promise<Sample | undefined> {
  const award = await database
    .selectFrom('award_emoji')
    .leftJoin('note', 'note.id', 'award_emoji.note_id')
    .leftJoin('issue', 'issue.id', 'award_emoji.issue_id')
    .leftJoin('merge_request', 'merge_request.id', 'award_emoji.merge_request_id')
    .leftJoin('snippet', 'snippet.id', 'award_emoji.snippet_id')
    .selectAll('award_emoji')
    .where(({ or, eb }) =>
      or(
        (['note', 'issue', 'merge_request', 'snippet'] as const).map((table) =>
          eb(`${table}.project_id`, '=', project.id),
        ),
      ),
    )
    .orderBy('award_emoji.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!award) return undefined
  const note =
    award.note_id === null
      ? undefined
      : await database.selectFrom('note').selectAll().where('id', '=', award.note_id).executeTakeFirst()
  const on = await subjectOf(database, note ?? award)
  if (!on) return undefined
  const facts: EmojiFacts = { award, action: 'award', userId: award.user_id, on, ...(note && { note }) }
  return { kind: 'emoji', facts }
}

/** The object of a note or an emoji; undefined if it is none of these. */
async function subjectOf(
  database: Database,
  {
    issue_id,
    merge_request_id,
    snippet_id,
  }: { issue_id: number | null; merge_request_id: number | null; snippet_id: number | null },
): Promise<PlanningNoteFacts['on'] | undefined> {
  if (issue_id !== null) {
    const row = await database.selectFrom('issue').selectAll().where('id', '=', issue_id).executeTakeFirst()
    return row && { issue: await issueNow(database, row) }
  }
  if (merge_request_id !== null) {
    const row = await database
      .selectFrom('merge_request')
      .selectAll()
      .where('id', '=', merge_request_id)
      .executeTakeFirst()
    return row && { mergeRequest: await mergeRequestNow(database, row) }
  }
  if (snippet_id === null) return undefined
  const row = await database.selectFrom('snippet').selectAll().where('id', '=', snippet_id).executeTakeFirst()
  return row && { snippet: row }
}

/** The latest milestone of the project, as if it had just been created. */
async function lastMilestone({ database }: SampleDeps, project: Project): Promise<Sample | undefined> {
  const milestone = await database
    .selectFrom('milestone')
    .selectAll()
    .where('project_id', '=', project.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const facts: MilestoneFacts | undefined = milestone && { milestone, action: 'create' }
  return facts && { kind: 'milestone', facts }
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
  const after = await issueNow(database, issue)
  const facts: IssueFacts = { after, action: 'open', userId: user.id }
  return { kind: 'issue', facts }
}

async function issueNow(database: Database, issue: Selectable<IssueTable>): Promise<IssueSnapshot> {
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
  return snapshotOf(issue, ids, labels)
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
  const after = await mergeRequestNow(database, mergeRequest)
  const facts: MergeRequestFacts = { after, action: 'open', userId: user.id }
  return { kind: 'merge_request', facts }
}

async function mergeRequestNow(
  database: Database,
  mergeRequest: Selectable<MergeRequestTable>,
): Promise<MergeRequestSnapshot> {
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
  return {
    mergeRequest,
    assignees: (assignees ?? []).map(({ user_id }) => user_id),
    reviewers: (reviewers ?? []).map(({ user_id }) => user_id),
    labels,
  }
}

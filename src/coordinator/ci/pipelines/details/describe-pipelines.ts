import type { Commit } from '../../../../git/parse-commit.js'
import type { Database } from '../../../database/connect.js'
import { findFullPaths } from '../../../database/stores/project-store.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { presentPipelineBrief } from '../../../http/presenters/present-pipeline.js'
import { isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import { usersById } from '../../../http/presenters/users-by-id.js'
import type { EngineRepositories } from '../../engine/engine-deps.js'
import { readableCommit } from '../../engine/readable-commit.js'
import { presentCoverage, queuedDuration } from '../present.js'
import type { DetailedPipeline } from './schema.js'
import { findJobSums, findMergeRequests, findReported, findStagesOf } from './store.js'
import { sumUp } from './sum-up.js'

export interface DescribePipelinesDeps {
  database: Database
  repositories: Pick<EngineRepositories, 'readCommit'>
  /** Public address without a trailing slash. */
  externalUrl: string
}

/**
 * Records of pipelines of any projects with their details, in the same order. The number of queries does not
 * depend on the number of pipelines.
 */
export async function describePipelines(
  deps: DescribePipelinesDeps,
  rows: PipelineRow[],
): Promise<DetailedPipeline[]> {
  if (rows.length === 0) return []
  const { database, externalUrl } = deps
  const ids = rows.map(({ id }) => id)
  const users = await usersById(
    database,
    rows.map(({ user_id }) => user_id),
  )
  const paths = await findFullPaths(
    database,
    rows.map(({ project_id }) => project_id),
  )
  const sums = sumUp({
    stages: await findStagesOf(database, ids),
    jobs: await findJobSums(database, ids),
    reported: await findReported(database, ids),
  })
  const mergeRequests = await mergeRequestsById(database, rows)
  const commits = await readCommits(deps, rows)
  return rows.flatMap((row) => {
    const user = users.get(row.user_id)
    const commit = commits.get(commitKey(row))
    const path = paths.get(row.project_id)
    // Deleting the project deletes its pipelines, so it was deleted while this list was built.
    if (path === undefined) return []
    const { stages, hasWarnings, coverage, tests, log_job_id } = sums(row.id)
    return {
      ...presentPipelineBrief(row, `${externalUrl}/${path}`),
      name: row.name,
      tag: row.tag,
      user: user ? presentUser(user, externalUrl) : null,
      commit: commit ? presentCommitTitle(commit) : null,
      merge_request: mergeRequests.get(row.merge_request_id ?? 0) ?? null,
      has_yaml_errors: row.yaml_errors !== null,
      has_warnings: hasWarnings,
      failure_reason: row.failure_reason,
      started_at: isoTimeOrNull(row.started_at),
      finished_at: isoTimeOrNull(row.finished_at),
      duration: row.duration,
      queued_duration: queuedDuration(row),
      coverage: presentCoverage(coverage),
      tests,
      stages,
      log_job_id,
    }
  })
}

function presentCommitTitle({ id, title, authorName }: Commit): NonNullable<DetailedPipeline['commit']> {
  return { id, short_id: id.slice(0, 8), title, author_name: authorName }
}

async function mergeRequestsById(
  database: Database,
  rows: PipelineRow[],
): Promise<Map<number, NonNullable<DetailedPipeline['merge_request']>>> {
  const ids = [...new Set(rows.flatMap(({ merge_request_id }) => merge_request_id ?? []))]
  const found = ids.length === 0 ? [] : await findMergeRequests(database, ids)
  return new Map(found.map(({ id, iid, project_id }) => [id, { iid, project_id }]))
}

type OfCommit = Pick<PipelineRow, 'project_id' | 'sha'>

function commitKey({ project_id, sha }: OfCommit): string {
  return `${project_id} ${sha}`
}

/** Several pipelines of one commit read it once. */
async function readCommits(
  { repositories }: DescribePipelinesDeps,
  rows: OfCommit[],
): Promise<Map<string, Commit | undefined>> {
  const distinct = new Map(rows.map((row) => [commitKey(row), row]))
  const entries = await Promise.all(
    [...distinct].map(
      async ([key, row]) => [key, await readableCommit(repositories, row.project_id, row.sha)] as const,
    ),
  )
  return new Map(entries)
}

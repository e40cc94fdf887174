import { type ExpressionBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { dialectOf } from '../../../database/dialect.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import { containsEntry } from '../../../database/text.js'
import { isInScope, type JobProfile } from '../match.js'
import { onlineSince } from '../online.js'
import type { RunnerKind } from './pending-reason.js'

/** The runners that may take a job, apart from whether they are paused and online. */
export interface MatchingRunners {
  total: number
  /** Online and not paused. */
  online: number
  /** Online runners with at least one job; they may have free capacity. */
  busy: number
  paused: number
  /** Runners that are neither online nor paused. */
  offline: number
}

/** One of them. */
export interface MatchingRunner {
  id: number
  description: string | null
  runner_type: string
  active: boolean
  contacted_at: number | null
  created_at: number
  /** Number of its running jobs. */
  running_jobs: number
}

export async function countMatchingRunners(
  database: Database,
  job: JobProfile,
  now: number,
): Promise<MatchingRunners> {
  const isOnline = sql`runner.active and coalesce(runner.contacted_at, 0) > ${onlineSince(now)}`
  const { total, online, busy, paused } = await matchingRunners(database, job)
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      sql<number>`coalesce(sum(case when ${isOnline} then 1 else 0 end), 0)`.as('online'),
      sql<number>`coalesce(sum(case when ${isOnline} and ${HAS_JOB} then 1 else 0 end), 0)`.as('busy'),
      sql<number>`coalesce(sum(case when runner.active then 0 else 1 end), 0)`.as('paused'),
    ])
    .executeTakeFirstOrThrow()
  return { total, online, busy, paused, offline: total - online - paused }
}

/** Those that were in contact last. */
export function findMatchingRunners(
  database: Database,
  job: JobProfile,
  limit: number,
): Promise<MatchingRunner[]> {
  return matchingRunners(database, job)
    .select(['runner.id', 'runner.description', 'runner.runner_type', 'runner.active'])
    .select(['runner.contacted_at', 'runner.created_at'])
    .select(sql<number>`(select count(*) from lease where lease.runner_id = runner.id)`.as('running_jobs'))
    .orderBy(sql`coalesce(runner.contacted_at, 0)`, 'desc')
    .orderBy('runner.id')
    .limit(limit)
    .execute()
}

const HAS_JOB = sql<SqlBool>`runner.id in (select lease.runner_id from lease)`

/** `mayTake` as a query. */
function matchingRunners(database: Database, job: JobProfile) {
  const { tags } = job
  return database
    .selectFrom('runner')
    .where(({ or, eb, selectFrom }) =>
      or([
        ...(job.instanceRunnersAllowed ? [eb('runner.runner_type', '=', 'instance_type')] : []),
        ...(job.groupRunnersAllowed ? [eb('runner.group_id', 'in', groupsAbove(job))] : []),
        eb(
          'runner.id',
          'in',
          selectFrom('runner_project')
            .select('runner_project.runner_id')
            .where('runner_project.project_id', '=', job.projectId),
        ),
      ]),
    )
    .$if(!job.protected, (runners) => runners.where('runner.access_level', '=', 'not_protected'))
    .$if(tags.length === 0, (runners) => runners.where('runner.run_untagged', '=', true))
    .where(({ and, ref }) =>
      and(tags.map((tag) => containsEntry(dialectOf(database), ref('runner.tag_list'), tag))),
    )
}

function groupsAbove({ projectPath }: JobProfile) {
  const parts = projectPath.split('/')
  const paths = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
  return ({ selectFrom }: ExpressionBuilder<Tables, 'runner'>) =>
    selectFrom('namespace')
      .select('namespace.id')
      .where('namespace.kind', '=', 'group')
      .where('namespace.full_path', 'in', paths)
}

/** The tags of the runners that lack the fewest tags of a job. */
export interface NearestTags {
  tags: string[]
  missing_tags: string[]
}

/** Undefined if no runner serves the project, or none has a tag of the job. */
export function findNearestTags(job: JobProfile, kinds: readonly RunnerKind[]): NearestTags | undefined {
  const candidates = kinds
    .filter(({ profile }) => isInScope(profile, job))
    .map(({ profile }) => ({
      tags: [...profile.tags],
      missing_tags: job.tags.filter((tag) => !profile.tags.has(tag)),
    }))
    .filter(({ missing_tags }) => missing_tags.length < job.tags.length)
  return candidates.sort((one, other) => one.missing_tags.length - other.missing_tags.length)[0]
}

import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { DAY } from '../../../../lib/time-units.js'
import { ACCESS_LEVELS } from '../../../access/access-levels.js'
import type { User } from '../../../access/caller.js'
import { readsPipelines } from '../../../access/planning-visibility.js'
import { isMemberOfProject, maySeeGroup } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow, ProjectRow } from '../../../database/tables/pipeline-rows.js'
import { DANGLING_SOURCES } from '../../engine/pipeline-source.js'
import { isUnderWay } from './under-way.js'

/** The ID of a group that the user may see, by its ID or full path. */
export async function findGroupId(
  database: Database,
  viewer: User,
  idOrPath: string,
): Promise<number | undefined> {
  const group = await database
    .selectFrom('namespace')
    .select('namespace.id')
    .where('namespace.kind', '=', 'group')
    .$if(/^\d{1,15}$/.test(idOrPath), (query) => query.where('namespace.id', '=', Number(idOrPath)))
    .$if(!/^\d{1,15}$/.test(idOrPath), (query) =>
      query.where(sql`lower(namespace.full_path)`, '=', idOrPath.toLowerCase()),
    )
    .where(maySeeGroup(viewer))
    .executeTakeFirst()
  return group?.id
}

export function findProjectsById(database: Database, ids: number[]) {
  return database
    .selectFrom('project')
    .select(['id', 'name', 'full_path'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
}

/** Lists of what waits for a user are this long. */
const SHOWN = 20
/** Older pipelines of a user are not searched for what waits. */
const SEARCHED = 500
const SEARCHED_FOR = 30 * DAY

/** The latest pipelines of the user that are the newest of their branch or tag. */
function currentPipelinesOf({ id }: User, now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`pipeline.id in (
      select own.id from pipeline as own where own.user_id = ${id} order by own.id desc limit ${SEARCHED}
    ) and pipeline.created_at >= ${now - SEARCHED_FOR} and not exists (
      select 1 from pipeline as newer
      where newer.project_id = pipeline.project_id and newer.ref = pipeline.ref and newer.tag = pipeline.tag
        and newer.id > pipeline.id and newer.source not in (${sql.join(DANGLING_SOURCES)})
    )`
}

/** Condition on the table `project`: its jobs can be started by the user. */
function mayRun(viewer: User): RawBuilder<SqlBool> {
  const isDeveloper = viewer.is_admin
    ? sql<SqlBool>`true`
    : isMemberOfProject(viewer, ACCESS_LEVELS.developer)
  return sql<SqlBool>`(${readsPipelines(viewer)} and ${isDeveloper}
    and project.archived = false and project.marked_for_deletion_at is null)`
}

/**
 * Manual jobs that wait in current pipelines of the user. Jobs that stop an environment wait until a user starts them,
 * so they are left out.
 */
export function findWaitingJobs(database: Database, viewer: User, now: number) {
  return database
    .selectFrom('pipeline')
    .innerJoin('job', 'job.pipeline_id', 'pipeline.id')
    .innerJoin('project', 'project.id', 'pipeline.project_id')
    .leftJoin('environment', 'environment.id', 'job.environment_id')
    .select(['job.id', 'job.name', 'job.stage', 'environment.name as environment', 'job.project_id'])
    .select(['pipeline.id as pipeline_id', 'pipeline.iid', 'pipeline.ref', 'pipeline.name as pipeline_name'])
    .select(['pipeline.created_at', 'project.name as project_name', 'project.full_path'])
    .select(sql<string | null>`job.options ->> 'manualConfirmation'`.as('manual_confirmation'))
    .where(currentPipelinesOf(viewer, now))
    .where('job.status', '=', 'manual')
    .where('job.retried', '=', false)
    .where('job.started_at', 'is', null)
    .where(({ or, eb }) =>
      or([eb('job.environment_action', 'is', null), eb('job.environment_action', '!=', 'stop')]),
    )
    .where(mayRun(viewer))
    .orderBy('job.id', 'desc')
    .limit(SHOWN)
    .execute()
}

/** Schedules of the user that were deactivated with a reason. */
export function findFailedSchedules(database: Database, viewer: User) {
  return database
    .selectFrom('pipeline_schedule')
    .innerJoin('project', 'project.id', 'pipeline_schedule.project_id')
    .select(['pipeline_schedule.id', 'pipeline_schedule.description', 'pipeline_schedule.ref'])
    .select([
      'pipeline_schedule.last_failure',
      'pipeline_schedule.updated_at',
      'pipeline_schedule.project_id',
    ])
    .select(['project.name as project_name', 'project.full_path'])
    .where('pipeline_schedule.owner_id', '=', viewer.id)
    .where('pipeline_schedule.active', '=', false)
    .where('pipeline_schedule.last_failure', 'is not', null)
    .$narrowType<{ last_failure: string }>()
    .where(readsPipelines(viewer))
    .orderBy('pipeline_schedule.updated_at', 'desc')
    .orderBy('pipeline_schedule.id', 'desc')
    .limit(SHOWN)
    .execute()
}

/** Current pipelines of the user that failed on a default branch. */
export function findFailedPipelines(database: Database, viewer: User, now: number): Promise<PipelineRow[]> {
  return database
    .selectFrom('pipeline')
    .innerJoin('project', 'project.id', 'pipeline.project_id')
    .selectAll('pipeline')
    .where(currentPipelinesOf(viewer, now))
    .where('pipeline.status', '=', 'failed')
    .where('pipeline.tag', '=', false)
    .where('pipeline.source', 'not in', DANGLING_SOURCES)
    .whereRef('pipeline.ref', '=', 'project.default_branch')
    .where(readsPipelines(viewer))
    .orderBy('pipeline.id', 'desc')
    .limit(SHOWN)
    .execute()
}

type SummaryProject = Pick<ProjectRow, 'id' | 'full_path' | 'default_branch'>

/** Those of the projects whose pipelines the caller may read. */
export function findReadableProjects(
  database: Database,
  viewer: User | undefined,
  ids: number[],
): Promise<SummaryProject[]> {
  return database
    .selectFrom('project')
    .select(['id', 'full_path', 'default_branch'])
    .where('id', 'in', ids)
    .where(readsPipelines(viewer))
    .execute()
}

const BARS = 20

/** The last pipelines of the default branch of each project, newest first. */
export async function findLastPipelinesOfProjects(
  database: Database,
  projects: SummaryProject[],
): Promise<PipelineRow[]> {
  const parts = projects.flatMap(({ id, default_branch }) => {
    if (default_branch === null) return []
    const ofBranch = database
      .selectFrom('pipeline')
      .select('pipeline.id')
      .where('pipeline.project_id', '=', id)
      .where('pipeline.ref', '=', default_branch)
      .where('pipeline.tag', '=', false)
      .where('pipeline.source', 'not in', DANGLING_SOURCES)
      .orderBy('pipeline.id', 'desc')
      .limit(BARS)
    return [sql`select id from (${ofBranch}) as part`]
  })
  if (parts.length === 0) return []
  const { rows } = await sql<PipelineRow>`
    select * from pipeline where id in (${sql.join(parts, sql` union all `)}) order by id desc`.execute(
    database,
  )
  return rows
}

/** Number of pipelines that run or are about to, by project; projects without any are left out. */
export async function countUnderWay(database: Database, projectIds: number[]): Promise<Map<number, number>> {
  if (projectIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('pipeline')
    .select(['pipeline.project_id', ({ fn }) => fn.countAll<number>().as('running')])
    .where(isUnderWay())
    .where('pipeline.project_id', 'in', projectIds)
    .where('pipeline.source', 'not in', DANGLING_SOURCES)
    .groupBy('pipeline.project_id')
    .execute()
  return new Map(rows.map(({ project_id, running }) => [project_id, running]))
}

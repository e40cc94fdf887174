import { type ExpressionBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'

import { groupBy } from '../../../../lib/group-by.js'
import type { Database } from '../../../database/connect.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import type { RunnerType } from '../../../database/tables/runners.js'
import type { KindProfile } from '../match.js'
import { onlineSince } from '../online.js'
import type { RunnerKind } from './pending-reason.js'

/** Online runners that no job can tell apart. */
export interface OnlineRunners extends RunnerKind {
  /** Number of runners. */
  runners: number
  /** Number of runners with at least one job; they may have free capacity. */
  withJobs: number
}

interface KindRow {
  runner_type: RunnerType
  active: boolean
  run_untagged: boolean
  access_level: 'not_protected' | 'ref_protected'
  tag_list: string[]
  group_path?: string | null
  project_id?: number
}

/**
 * The kinds of runners, including paused and offline ones, that could serve one of the projects. There are
 * few kinds however many runners there are. For project runners, only these projects are listed.
 */
export async function findRunnerKinds(
  database: Database,
  projectIds: number[],
  now: number,
): Promise<RunnerKind[]> {
  return [...(await sharedKinds(database, now)), ...(await kindsOfProjects(database, projectIds, now))]
}

/** It takes longer than a page of a list may to read the kinds of as many runners. */
const MANY_RUNNERS = 10_000
/** Their kinds may be as old, in milliseconds. */
const REMEMBERED = 5000
const MAX_REMEMBERED = 1000

interface RecentKinds {
  /** When they were read, in milliseconds since 1970. */
  at: number
  kinds: KindOfProject[]
}

const recentKinds = new WeakMap<Database, LRUCache<number, RecentKinds>>()

/**
 * Like `findRunnerKinds`, for what people read: the kinds of more than 10,000 runners of one project are read again after
 * five seconds only.
 */
export async function findRecentKinds(
  database: Database,
  projectIds: number[],
  now: number,
): Promise<RunnerKind[]> {
  const known = recentKinds.get(database) ?? new LRUCache({ max: MAX_REMEMBERED })
  recentKinds.set(database, known)
  const recent = projectIds.flatMap((id) => {
    const { at, kinds } = known.get(id) ?? { at: 0, kinds: [] }
    return now - at < REMEMBERED ? kinds : []
  })
  const others = projectIds.filter((id) => !recent.some(({ projectId }) => projectId === id))
  const read = others.length === 0 ? [] : await kindsOfProjects(database, others, now)
  for (const [projectId, kinds] of groupBy(read, ({ projectId: id }) => id)) {
    const runners = kinds.reduce((sum, kind) => sum + kind.runners, 0)
    if (runners > MANY_RUNNERS) known.set(projectId, { at: now, kinds })
  }
  return [...(await sharedKinds(database, now)), ...recent, ...read]
}

async function sharedKinds(database: Database, now: number): Promise<RunnerKind[]> {
  const rows = await sharedRunners(database).select(isOnline(now)).distinct().execute()
  return rows.map(kindOf)
}

interface KindOfProject extends RunnerKind {
  projectId: number
  /** Number of runners. */
  runners: number
}

async function kindsOfProjects(
  database: Database,
  projectIds: number[],
  now: number,
): Promise<KindOfProject[]> {
  const rows = await projectRunners(database, projectIds)
    .select(isOnline(now))
    .select(({ fn }) => fn.countAll<number>().as('runners'))
    .groupBy(OF_PROJECTS)
    .groupBy('is_online')
    .execute()
  return rows.map((row) => ({ ...kindOf(row), projectId: row.project_id, runners: row.runners }))
}

/** In SQLite, a comparison in the result is a number. */
function isOnline(now: number) {
  return sql<boolean | number>`coalesce(runner.contacted_at, 0) > ${onlineSince(now)}`.as('is_online')
}

function kindOf(row: KindRow & { is_online: boolean | number }): RunnerKind {
  return { profile: profileOf(row), isOnline: Boolean(row.is_online) }
}

/** Like `findRunnerKinds`, for runners that are online and not paused, with their number. */
export async function countOnlineRunnersByKind(
  database: Database,
  projectIds: number[],
  now: number,
): Promise<OnlineRunners[]> {
  const shared = await sharedRunners(database)
    .select(COUNTS)
    .where(isReady(now))
    .groupBy([...COMMON, 'namespace.full_path'])
    .execute()
  const ofProjects = await projectRunners(database, projectIds)
    .select(COUNTS)
    .where(isReady(now))
    .groupBy(OF_PROJECTS)
    .execute()
  return [...shared, ...ofProjects].map(({ runners, with_jobs, ...row }) => ({
    profile: profileOf(row),
    isOnline: true,
    runners,
    withJobs: with_jobs,
  }))
}

/**
 * The kinds of the project's own runners that are online and not paused, with all projects that such runners
 * serve.
 */
export async function kindsWithAllProjects(
  database: Database,
  projectId: number,
  now: number,
): Promise<KindProfile[]> {
  const rows = await database
    .selectFrom('runner_project as own')
    .innerJoin('runner', 'runner.id', 'own.runner_id')
    .innerJoin('runner_project', 'runner_project.runner_id', 'runner.id')
    .select(OF_PROJECTS)
    .distinct()
    .where('own.project_id', '=', projectId)
    .where(isReady(now))
    .execute()
  const kinds = new Map<string, { row: KindRow; projectIds: number[] }>()
  for (const { project_id, ...row } of rows) {
    const key = JSON.stringify(row)
    const projectIds = [...(kinds.get(key)?.projectIds ?? []), project_id]
    kinds.set(key, { row, projectIds })
  }
  return [...kinds.values()].map(({ row, projectIds }) => profileOf(row, projectIds))
}

const COMMON = [
  'runner.runner_type',
  'runner.active',
  'runner.run_untagged',
  'runner.access_level',
  'runner.tag_list',
] as const
const SHARED = [...COMMON, 'namespace.full_path as group_path'] as const
const OF_PROJECTS = [...COMMON, 'runner_project.project_id'] as const
const COUNTS = [
  sql<number>`count(*)`.as('runners'),
  sql<number>`sum(case when runner.id in (select lease.runner_id from lease) then 1 else 0 end)`.as(
    'with_jobs',
  ),
] as const

function sharedRunners(database: Database) {
  return database
    .selectFrom('runner')
    .leftJoin('namespace', 'namespace.id', 'runner.group_id')
    .select(SHARED)
    .where('runner.runner_type', 'in', ['instance_type', 'group_type'])
}

function projectRunners(database: Database, projectIds: number[]) {
  return database
    .selectFrom('runner_project')
    .innerJoin('runner', 'runner.id', 'runner_project.runner_id')
    .select(OF_PROJECTS)
    .where('runner_project.project_id', 'in', projectIds)
    .where('runner.runner_type', '=', 'project_type')
}

function isReady(now: number) {
  return ({ and, eb }: ExpressionBuilder<Tables, 'runner'>) =>
    and([eb('runner.active', '=', true), eb('runner.contacted_at', '>', onlineSince(now))])
}

function profileOf(
  row: KindRow,
  projectIds = row.project_id === undefined ? [] : [row.project_id],
): KindProfile {
  const { runner_type, active, run_untagged, access_level, tag_list, group_path } = row
  return {
    type: runner_type,
    active,
    runUntagged: run_untagged,
    tags: new Set(tag_list),
    protectedOnly: access_level === 'ref_protected',
    projectIds: new Set(projectIds),
    groupPath: group_path ?? undefined,
  }
}

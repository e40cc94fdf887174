import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { DialectName } from '../../database/connect.js'
import type { Tables } from '../../database/tables/database-tables.js'
import { containsEntry, containsText } from '../../database/text.js'
import { apiError } from '../../http/errors.js'
import { onlineSince } from '../queue/online.js'
import { staleSince } from '../queue/runner-status.js'
import type { RunnerListParams } from './schema.js'

export type RunnerQuery = SelectQueryBuilder<Tables, 'runner', object>

const STATES = ['active', 'paused', 'online', 'offline']
const KINDS = ['specific', 'shared']

/** Throws 400 for a `scope` that the list does not support. */
export function checkScope(scope: string | undefined, withKinds: boolean): void {
  const known = withKinds ? [...STATES, ...KINDS] : STATES
  if (scope !== undefined && !known.includes(scope)) throw apiError('runner_scope_invalid')
}

/** The runners that match all filters; a runner must have every given tag. */
export function filterRunners(
  runners: RunnerQuery,
  filters: RunnerListParams,
  { now, dialect }: { now: number; dialect: DialectName },
): RunnerQuery {
  const { scope, status, type, paused, tag_list = [], version_prefix, search } = filters
  let query = inState(inState(runners, status, now), scope, now)
  if (scope === 'shared') query = query.where('runner.runner_type', '=', 'instance_type')
  if (scope === 'specific') query = query.where('runner.runner_type', '=', 'project_type')
  if (type !== undefined) query = query.where('runner.runner_type', '=', type)
  if (paused !== undefined) query = query.where('runner.active', '=', !paused)
  for (const tag of tag_list) {
    query = query.where(({ ref }) => containsEntry(dialect, ref('runner.tag_list'), tag))
  }
  if (search) query = query.where(({ ref }) => containsText(ref('runner.description'), search))
  return version_prefix ? withVersion(query, version_prefix) : query
}

function withVersion(query: RunnerQuery, prefix: string): RunnerQuery {
  return query.where(
    ({ ref }) => sql<SqlBool>`substr(${ref('runner.version')}, 1, ${sql.lit(prefix.length)}) = ${prefix}`,
  )
}

function inState(query: RunnerQuery, state: string | undefined, now: number): RunnerQuery {
  switch (state) {
    case 'active':
      return query.where('runner.active', '=', true)
    case 'paused':
      return query.where('runner.active', '=', false)
    case 'online':
      return query.where('runner.contacted_at', '>', onlineSince(now))
    case 'offline':
      return query.where('runner.contacted_at', '<=', onlineSince(now))
    case 'stale':
      return query
        .where('runner.contacted_at', '<=', staleSince(now))
        .where('runner.created_at', '<=', staleSince(now))
    case 'never_contacted':
      return query.where('runner.contacted_at', 'is', null)
    default:
      return query
  }
}

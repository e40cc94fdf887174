import { sql } from 'kysely'

import type { Database } from '../database/connect.js'
import { ACCESS_LEVELS } from './access-levels.js'
import { isLive } from './is-live.js'
import { sharesOf, type Viewer } from './visibility.js'

/** Maximum number of IDs that the conditions of a query name. */
const NAMED = 100

/**
 * The viewer with the memberships, unless there are more than a hundred. Conditions on members then name IDs instead of
 * containing subqueries: a list contains up to 20 such conditions, and PostgreSQL takes milliseconds to plan each
 * subquery, whose number of rows it can only guess.
 */
export async function withMemberships<Known extends Viewer>(
  database: Database,
  viewer: Known,
): Promise<Known> {
  if (!viewer) return viewer
  const rows = await readMemberships(database, viewer.id)
  if (rows.length > NAMED) return viewer
  const namespaces = rows.flatMap(({ namespace_id: id, level }) => (id === null ? [] : [{ id, level }]))
  const projects = rows.flatMap(({ project_id: id, level }) => (id === null ? [] : [{ id, level }]))
  return { ...viewer, memberships: { namespaces, projects } }
}

interface MembershipRow {
  namespace_id: number | null
  project_id: number | null
  level: number
}

async function readMemberships(database: Database, userId: number): Promise<MembershipRow[]> {
  const now = Date.now()
  const none = sql`cast(null as bigint)`
  const shared = sql`case when share.group_access < member.access_level then share.group_access else member.access_level end`
  const { rows } = await sql<MembershipRow>`
    select group_tree.group_id as namespace_id, ${none} as project_id, member.access_level as level from member
      join group_tree on group_tree.ancestor_id = member.group_id
      where member.user_id = ${userId} and member.group_id is not null and ${isLive('member', now)}
    union all
    select below.group_id, ${none}, ${shared} ${sharesOf(userId, 1, now)}
      join group_tree as below on below.ancestor_id = share.group_id
    union all
    select id, ${none}, ${ACCESS_LEVELS.owner} from namespace where kind = 'user' and owner_id = ${userId}
    union all
    select ${none}, project_id, access_level from member
      where user_id = ${userId} and project_id is not null and ${isLive('member', now)}
    union all
    select ${none}, share.project_id, ${shared} ${sharesOf(userId, 1, now)} and share.project_id is not null
    limit ${sql.lit(NAMED + 1)}`.execute(database)
  return rows
}

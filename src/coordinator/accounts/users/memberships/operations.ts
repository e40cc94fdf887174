import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'

import type { User } from '../../../access/caller.js'
import { isLive } from '../../../access/is-live.js'
import { maySeeGroup, maySeeProject } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import { forbidden } from '../../../http/errors.js'
import { type Operation, operation } from '../../../http/operation.js'
import { type Page, page, type Paging } from '../../../http/page.js'
import { countAround, listRows } from '../../../http/paging/list-rows.js'
import { described } from '../../../http/parameters/described.js'
import { DateOnly, DateTime, OneOf } from '../../../http/parameters/types.js'
import { isoDateOrNull, isoTime } from '../../../http/presenters/present-time.js'
import { UserId } from '../record/schema.js'
import { existingUser, refusePrivateProfile } from '../users.js'
import { Associations, Membership } from './schema.js'

const ListMemberships = Type.Object({
  ...UserId.properties,
  type: described(Type.Optional(OneOf('Project', 'Namespace')), 'Type of the source to filter by.'),
})

const Activity = Type.Object({
  username: described(Type.String(), 'Username of the user.'),
  last_activity_on: described(DateOnly(), 'Day of the last activity.'),
  last_activity_at: described(DateTime(), 'Time of the last activity, accurate to ten minutes.'),
})

const ListActivities = Type.Object({
  from: described(Type.Optional(DateOnly()), 'Earliest day of the last activity; default 6 months ago.'),
})

/** Memberships and last activity of users. */
export function belongingOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /users/:id/memberships', {
      summary: 'List memberships of a user; others than administrators get those that they may see',
      access: 'user',
      scopes: ['read_user'],
      params: ListMemberships,
      responses: { 200: Type.Array(Membership) },
      paginated: true,
      run: async ({ params, user, paging }) => membershipsPage(database, params, user, paging),
    }),
    operation('GET /users/:id/associations_count', {
      summary: 'Get the associations count of a user',
      access: 'user',
      scopes: ['read_user'],
      params: UserId,
      responses: { 200: Associations },
      run: async ({ params, user }) => countAssociations(database, params.id, user),
    }),
    operation('GET /user/activities', {
      summary: 'List last activities of users',
      access: 'administrator',
      params: ListActivities,
      responses: { 200: Type.Array(Activity) },
      paginated: true,
      run: async ({ params, paging }) => activitiesPage(database, params, paging),
    }),
  ]
}

async function membershipsPage(
  database: Database,
  { id, type }: Static<typeof ListMemberships>,
  viewer: User,
  paging: Paging,
): Promise<Page> {
  await refusePrivateProfile(database, id, viewer)
  const matching = database
    .selectFrom('member')
    .where('member.user_id', '=', id)
    .where(isLive('member', Date.now()))
    .$if(!viewer.is_admin, (query) => query.where(maySeeSource(viewer)))
    .$if(type === 'Project', (query) => query.where('member.project_id', 'is not', null))
    .$if(type === 'Namespace', (query) => query.where('member.group_id', 'is not', null))
  const order = { table: 'member', column: 'id', direction: 'asc' } as const
  const { rows, total } = await listRows(database, matching, paging, order)
  const projects = await namesOf(
    database,
    'project',
    rows.map(({ project_id }) => project_id),
  )
  const groups = await namesOf(
    database,
    'namespace',
    rows.map(({ group_id }) => group_id),
  )
  const memberships = rows.flatMap(({ project_id, group_id, access_level }): Membership[] => {
    const source = projects.get(project_id ?? 0) ?? groups.get(group_id ?? 0)
    if (!source) return []
    return [
      {
        source_id: source.id,
        source_name: source.name,
        source_full_path: source.full_path,
        source_type: project_id === null ? 'Namespace' : 'Project',
        access_level,
      },
    ]
  })
  return page(memberships, total)
}

/** Condition that the viewer may see the project or group of a membership, and thus its members. */
function maySeeSource(viewer: User): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    exists (select 1 from project where project.id = member.project_id and ${maySeeProject(viewer)})
    or exists (select 1 from namespace where namespace.id = member.group_id and ${maySeeGroup(viewer)}))`
}

/** Names and paths by ID. */
async function namesOf(
  database: Database,
  table: 'project' | 'namespace',
  ids: (number | null)[],
): Promise<Map<number, { id: number; name: string; full_path: string }>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await database
    .selectFrom(table)
    .select(['id', 'name', 'full_path'])
    .where('id', 'in', wanted)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function countAssociations(database: Database, id: number, viewer: User): Promise<Associations> {
  await existingUser(database, id)
  if (viewer.id !== id && !viewer.is_admin) throw forbidden()
  const counts = await database
    .selectFrom('member')
    .select(({ fn }) => [
      fn.count<number>('project_id').as('projects_count'),
      fn.count<number>('group_id').as('groups_count'),
    ])
    .where('user_id', '=', id)
    .where(isLive('member', Date.now()))
    .executeTakeFirstOrThrow()
  return {
    ...counts,
    issues_count: await countAuthored(database, 'issue', id),
    merge_requests_count: await countAuthored(database, 'merge_request', id),
  }
}

async function countAuthored(
  database: Database,
  table: 'issue' | 'merge_request',
  author: number,
): Promise<number> {
  const { count } = await database
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('author_id', '=', author)
    .executeTakeFirstOrThrow()
  return count
}

async function activitiesPage(
  database: Database,
  { from }: Static<typeof ListActivities>,
  paging: Paging,
): Promise<Page> {
  const matching = database
    .selectFrom('user_profile')
    .innerJoin('user', 'user.id', 'user_profile.user_id')
    .where('last_activity_at', '>=', from ? Date.parse(from) : monthsAgo(6))
  const rows = await matching
    .select(['username', 'last_activity_at'])
    .orderBy('last_activity_at')
    .orderBy('user.id')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  return page(
    rows.map(({ username, last_activity_at }) => ({
      username,
      last_activity_on: isoDateOrNull(last_activity_at),
      last_activity_at: isoTime(last_activity_at ?? 0),
    })),
    await countAround(database, matching, paging, rows.length),
  )
}

function monthsAgo(months: number): number {
  const time = new Date()
  return time.setUTCMonth(time.getUTCMonth() - months)
}

import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../database/connect.js'
import { preparedRead } from '../database/prepared-read.js'
import type { Placeholder } from '../database/prepared-statement.js'
import { isLive } from './is-live.js'

/**
 * Access levels of a user in a project or group, apart from its visibility (API, A15). Each field is the
 * highest level of its kind, or 0.
 */
export interface Levels {
  /** Level of a direct membership. */
  direct: number
  /** Level of a membership in an ancestor group. */
  inherited: number
  /** Level by shares of the project or group, or of its ancestors, with a group of the user. */
  shared: number
  /** 50 for a project in the personal namespace of the user. */
  personal: number
}

export const NO_LEVELS: Levels = { direct: 0, inherited: 0, shared: 0, personal: 0 }

/** The effective level: the highest of all kinds. */
export function highest({ direct, inherited, shared, personal }: Levels): number {
  return Math.max(direct, inherited, shared, personal)
}

interface LevelRow {
  subject_id: number
  kind: keyof Levels
  level: number
}

const levelsInProject = preparedRead((_database, { project, namespace, ...asking }: ProjectPlaceholders) =>
  projectLevels(sql`select cast(${project} as bigint), cast(${namespace} as bigint)`, asking),
)

const levelsInEachProject = preparedRead(
  (_database, { ids, ...asking }: LevelQuery & { ids: Placeholder<number>[] }) =>
    projectLevels(sql`select id, namespace_id from project where id in (${sql.join(ids)})`, asking),
)

const levelsInEachGroup = preparedRead(
  (_database, { ids, ...asking }: LevelQuery & { ids: Placeholder<number>[] }) =>
    groupLevels(sql`select id from namespace where id in (${sql.join(ids)})`, asking),
)

/** Returns a function that reads the access levels of a user in a project. */
export function createProjectLevelsReader(
  database: Database,
): (userId: number, project: { id: number; namespace_id: number }) => Promise<Levels> {
  return async (userId, { id, namespace_id }) => {
    const query = { user: userId, now: Date.now() }
    return gather(await levelsInProject(database, { ...query, project: id, namespace: namespace_id }))
  }
}

/** As `createProjectLevelsReader`, for a group. */
export function createGroupLevelsReader(
  database: Database,
): (userId: number, groupId: number) => Promise<Levels> {
  return async (userId, groupId) => {
    return gather(await levelsInEachGroup(database, { user: userId, now: Date.now(), ids: [groupId] }))
  }
}

/** Access levels of one user in a page of projects; projects without any level have no entry. */
export async function levelsInProjects(
  database: Database,
  userId: number,
  ids: number[],
): Promise<Map<number, Levels>> {
  if (ids.length === 0) return new Map()
  return gatherEach(await levelsInEachProject(database, { user: userId, now: Date.now(), ids }))
}

/** As `levelsInProjects`, for groups. */
export async function levelsInGroups(
  database: Database,
  userId: number,
  ids: number[],
): Promise<Map<number, Levels>> {
  if (ids.length === 0) return new Map()
  return gatherEach(await levelsInEachGroup(database, { user: userId, now: Date.now(), ids }))
}

/** Effective membership level of a user in a group. */
export async function memberLevelInGroup(
  database: Database,
  userId: number,
  groupId: number,
): Promise<number> {
  const levels = await levelsInGroups(database, userId, [groupId])
  return highest(levels.get(groupId) ?? NO_LEVELS)
}

/** A type alias, not an interface, so that it is assignable to an index signature. */
type LevelQuery = {
  user: Placeholder<number>
  now: Placeholder<number>
}

type ProjectPlaceholders = LevelQuery & { project: Placeholder<number>; namespace: Placeholder<number> }

/**
 * `subjects` selects the ID and namespace ID of each project. The query goes from the projects up to the
 * members, never from the user down. SQLite keeps the join order of a `cross join`.
 */
function projectLevels(subjects: RawBuilder<unknown>, { user, now }: LevelQuery): RawBuilder<LevelRow> {
  const isUser = sql`member.user_id = ${user} and ${isLive('member', now)}`
  return sql<LevelRow>`
    with subject(id, namespace_id) as (${subjects})
    select subject_id, kind, max(level) as level from (
      select subject.id as subject_id, 'direct' as kind, member.access_level as level
        from subject cross join member
        where member.project_id = subject.id and ${isUser}
      union all
      select subject.id, 'inherited', member.access_level
        from subject cross join group_tree cross join member
        where group_tree.group_id = subject.namespace_id
          and member.group_id = group_tree.ancestor_id and ${isUser}
      union all
      select subject.id, 'shared', ${capped}
        from subject cross join share cross join group_tree cross join member
        where share.project_id = subject.id and ${isLive('share', now)}
          and group_tree.group_id = share.with_group_id
          and member.group_id = group_tree.ancestor_id and ${isUser}
      union all
      select subject.id, 'shared', ${capped}
        from subject cross join group_tree as above cross join share cross join group_tree cross join member
        where above.group_id = subject.namespace_id
          and share.group_id = above.ancestor_id and ${isLive('share', now)}
          and group_tree.group_id = share.with_group_id
          and member.group_id = group_tree.ancestor_id and ${isUser}
      union all
      select subject.id, 'personal', 50
        from subject cross join namespace
        where namespace.id = subject.namespace_id and namespace.kind = 'user' and namespace.owner_id = ${user}
    ) as found group by subject_id, kind`
}

/** `subjects` selects the ID of each group. */
function groupLevels(subjects: RawBuilder<unknown>, { user, now }: LevelQuery): RawBuilder<LevelRow> {
  const isUser = sql`member.user_id = ${user} and ${isLive('member', now)}`
  return sql<LevelRow>`
    with subject(id) as (${subjects})
    select subject_id, kind, max(level) as level from (
      select subject.id as subject_id,
        case when member.group_id = subject.id then 'direct' else 'inherited' end as kind,
        member.access_level as level
        from subject cross join group_tree cross join member
        where group_tree.group_id = subject.id
          and member.group_id = group_tree.ancestor_id and ${isUser}
      union all
      select subject.id, 'shared', ${capped}
        from subject cross join group_tree as above cross join share cross join group_tree cross join member
        where above.group_id = subject.id
          and share.group_id = above.ancestor_id and ${isLive('share', now)}
          and group_tree.group_id = share.with_group_id
          and member.group_id = group_tree.ancestor_id and ${isUser}
    ) as found group by subject_id, kind`
}

/**
 * Level by a share: the lower one of membership and share. Members of a parent group are members of the
 * invited group.
 */
const capped = sql`case when member.access_level < share.group_access then member.access_level else share.group_access end`

function gather(rows: LevelRow[]): Levels {
  const levels = { ...NO_LEVELS }
  for (const { kind, level } of rows) levels[kind] = level
  return levels
}

function gatherEach(rows: LevelRow[]): Map<number, Levels> {
  const found = new Map<number, Levels>()
  for (const { subject_id, kind, level } of rows) {
    found.set(subject_id, { ...(found.get(subject_id) ?? NO_LEVELS), [kind]: level })
  }
  return found
}

/** Access levels of many users in one project; users without any level have no entry. */
export async function levelsOfUsers(
  database: Database,
  { id, namespace_id }: { id: number; namespace_id: number },
  userIds: readonly number[],
): Promise<Map<number, Levels>> {
  const found: LevelRow[] = []
  for (let start = 0; start < userIds.length; start += USERS_PER_STATEMENT) {
    const some = userIds.slice(start, start + USERS_PER_STATEMENT)
    const { rows } = await usersLevels({ id, namespace_id }, some, Date.now()).execute(database)
    found.push(...rows)
  }
  return gatherEach(found)
}

/** Databases limit the number of values in a statement. */
const USERS_PER_STATEMENT = 200

/** As `projectLevels`, but `subject_id` is the user. */
function usersLevels(
  { id, namespace_id }: { id: number; namespace_id: number },
  userIds: readonly number[],
  now: number,
): RawBuilder<LevelRow> {
  const ids = sql.join(userIds)
  const isUser = sql`member.user_id in (${ids}) and ${isLive('member', now)}`
  return sql<LevelRow>`
    select subject_id, kind, max(level) as level from (
      select member.user_id as subject_id, 'direct' as kind, member.access_level as level
        from member where member.project_id = ${id} and ${isUser}
      union all
      select member.user_id, 'inherited', member.access_level
        from group_tree join member on member.group_id = group_tree.ancestor_id
        where group_tree.group_id = ${namespace_id} and ${isUser}
      union all
      select member.user_id, 'shared', ${capped}
        from share join group_tree on group_tree.group_id = share.with_group_id
          join member on member.group_id = group_tree.ancestor_id
        where share.project_id = ${id} and ${isLive('share', now)} and ${isUser}
      union all
      select member.user_id, 'shared', ${capped}
        from group_tree as above join share on share.group_id = above.ancestor_id
          join group_tree on group_tree.group_id = share.with_group_id
          join member on member.group_id = group_tree.ancestor_id
        where above.group_id = ${namespace_id} and ${isLive('share', now)} and ${isUser}
      union all
      select owner_id, 'personal', 50 from namespace
        where id = ${namespace_id} and kind = 'user' and owner_id in (${ids})
    ) as found group by subject_id, kind`
}

import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../database/connect.js'
import { type Placeholder, preparedRead } from '../database/prepared-read.js'
import { isLive } from './is-live.js'

/**
 * What a user is in a project or a group, without regard to what everybody may (API, A15). Each level is the
 * highest of its kind, 0 without one.
 */
export interface Levels {
  /** Of a membership of the very project or group. */
  direct: number
  /** Of a membership of a group that it lies in. */
  inherited: number
  /** Of a share with a group that the user is in: of the thing itself or of a group that it lies in. */
  shared: number
  /** 50 for a project in the user's personal namespace. */
  personal: number
}

export const NO_LEVELS: Levels = { direct: 0, inherited: 0, shared: 0, personal: 0 }

/** The level that counts. */
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

/** Reads how one user stands to one project. */
export function createProjectLevelsReader(
  database: Database,
): (userId: number, project: { id: number; namespace_id: number }) => Promise<Levels> {
  return async (userId, { id, namespace_id }) => {
    const asking = { user: userId, now: Date.now() }
    return gather(await levelsInProject(database, { ...asking, project: id, namespace: namespace_id }))
  }
}

/** The same for a group. */
export function createGroupLevelsReader(
  database: Database,
): (userId: number, groupId: number) => Promise<Levels> {
  return async (userId, groupId) => {
    return gather(await levelsInEachGroup(database, { user: userId, now: Date.now(), ids: [groupId] }))
  }
}

/** How one user stands to each of a page of projects; those without an entry are none of the user's. */
export async function levelsInProjects(
  database: Database,
  userId: number,
  ids: number[],
): Promise<Map<number, Levels>> {
  if (ids.length === 0) return new Map()
  return gatherEach(await levelsInEachProject(database, { user: userId, now: Date.now(), ids }))
}

/** The same for groups. */
export async function levelsInGroups(
  database: Database,
  userId: number,
  ids: number[],
): Promise<Map<number, Levels>> {
  if (ids.length === 0) return new Map()
  return gatherEach(await levelsInEachGroup(database, { user: userId, now: Date.now(), ids }))
}

/** The level that counts of one user in one group. */
export async function memberLevelInGroup(
  database: Database,
  userId: number,
  groupId: number,
): Promise<number> {
  const levels = await levelsInGroups(database, userId, [groupId])
  return highest(levels.get(groupId) ?? NO_LEVELS)
}

/** A type of its own, so that it has all the keys that holes may have. */
type LevelQuery = {
  user: Placeholder<number>
  now: Placeholder<number>
}

type ProjectPlaceholders = LevelQuery & { project: Placeholder<number>; namespace: Placeholder<number> }

/**
 * `subjects` selects the id and the namespace of each project. From there it goes up to the members, never from the user
 * down: `cross join` is what SQLite takes for an order.
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

/** `subjects` selects the id of each group. */
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

/** Who is in a group above the one that was invited is in that one too. */
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

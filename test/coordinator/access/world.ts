import fc from 'fast-check'

import { insertGroup } from '../../../src/coordinator/accounts/groups/store.js'
import { createUser } from '../../../src/coordinator/accounts/users/account/create-user.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'

/** Groups, projects, members and shares by their places in the lists. */
export interface World {
  /** The parent of each group, `undefined` at the top; always an earlier one. */
  parents: (number | undefined)[]
  /** The group of each project. */
  projects: number[]
  members: Grant[]
  shares: Grant[]
}

interface Grant {
  to: { kind: 'project' | 'group'; index: number }
  /** A user, or a group that shares. */
  who: number
  level: number
  expired: boolean
}

const GROUPS = 6
const PROJECTS = 3
const USERS = 2

const grantTo = (whos: number) =>
  fc.record({
    to: fc.oneof(
      fc.record({ kind: fc.constant('project' as const), index: fc.nat(PROJECTS - 1) }),
      fc.record({ kind: fc.constant('group' as const), index: fc.nat(GROUPS - 1) }),
    ),
    who: fc.nat(whos - 1),
    level: fc.constantFrom(10, 20, 30, 40, 50),
    expired: fc.boolean(),
  })

const once = {
  maxLength: 8,
  selector: ({ to, who }: Grant) => `${to.kind} ${to.index} ${who}`,
}

export const worlds: fc.Arbitrary<World> = fc.record({
  parents: fc.tuple(
    ...Array.from({ length: GROUPS }, (_, index) =>
      index === 0 ? fc.constant(undefined) : fc.option(fc.nat(index - 1), { nil: undefined }),
    ),
  ),
  projects: fc.array(fc.nat(GROUPS - 1), { minLength: PROJECTS, maxLength: PROJECTS }),
  members: fc.uniqueArray(grantTo(USERS), once),
  shares: fc.uniqueArray(grantTo(GROUPS), once),
})

/** The levels that a world gives a user, found without a database. */
export function modelOf(world: World, user: number) {
  const members = world.members.filter(({ who, expired }) => who === user && !expired)
  const shares = world.shares.filter(({ expired }) => !expired)
  return { levelInGroup, levelInProject }

  function levelInGroup(group: number): number {
    const byShare = above(group).map((index) => throughShares({ kind: 'group', index }))
    return Math.max(asMember(group), ...byShare)
  }

  function levelInProject(project: number): number {
    const it = { kind: 'project', index: project } as const
    return Math.max(direct(it), throughShares(it), levelInGroup(world.projects[project]!))
  }

  function asMember(group: number): number {
    return Math.max(...above(group).map((index) => direct({ kind: 'group', index })))
  }

  function direct(to: Grant['to']): number {
    return Math.max(0, ...members.filter((grant) => isOf(grant, to)).map(({ level }) => level))
  }

  function throughShares(to: Grant['to']): number {
    const caps = shares
      .filter((grant) => isOf(grant, to))
      .map(({ who, level }) => Math.min(level, asMember(who)))
    return Math.max(0, ...caps)
  }

  function above(group: number): number[] {
    const parent = world.parents[group]
    return parent === undefined ? [group] : [group, ...above(parent)]
  }
}

function isOf(grant: Grant, { kind, index }: Grant['to']): boolean {
  return grant.to.kind === kind && grant.to.index === index
}

/** The rows of a world; the ids stand in the order of its lists. */
export async function build(database: Database, world: World, name: string) {
  const users = await Promise.all(
    Array.from({ length: USERS }, (_, index) => {
      const username = `${name}-user-${index}`
      return createUser(database, { username, name: username, email: `${username}@example.com` })
    }),
  )
  const groups: { id: number; full_path: string }[] = []
  for (const [index, parent] of world.parents.entries()) {
    const above = parent === undefined ? undefined : groups[parent]!
    groups.push(await addGroup(database, `${name}-${index}`, above))
  }
  const projects: { id: number; namespace_id: number }[] = []
  for (const [index, group] of world.projects.entries()) {
    projects.push(await addProject(database, users[0]!.id, groups[group]!, `p${index}`))
  }
  const idOf = ({ kind, index }: Grant['to']) =>
    kind === 'group' ? { group_id: groups[index]!.id } : { project_id: projects[index]!.id }
  for (const { to, who, level, expired } of world.members) {
    const row = {
      user_id: users[who]!.id,
      access_level: level,
      expires_at: expired ? 1 : null,
      created_at: 0,
    }
    await database
      .insertInto('member')
      .values({ ...idOf(to), ...row })
      .execute()
  }
  for (const { to, who, level, expired } of world.shares) {
    const row = {
      with_group_id: groups[who]!.id,
      group_access: level,
      expires_at: expired ? 1 : null,
      created_at: 0,
    }
    await database
      .insertInto('share')
      .values({ ...idOf(to), ...row })
      .execute()
  }
  return { users, groups, projects }
}

function addGroup(database: Database, path: string, parent: { id: number; full_path: string } | undefined) {
  return inTransaction(database, (tx) =>
    insertGroup(tx, {
      kind: 'group',
      name: path,
      path,
      full_path: parent ? `${parent.full_path}/${path}` : path,
      parent_id: parent?.id ?? null,
      visibility: 'private',
      created_at: 0,
    }),
  )
}

function addProject(
  database: Database,
  creatorId: number,
  group: { id: number; full_path: string },
  path: string,
) {
  return database
    .insertInto('project')
    .values({
      namespace_id: group.id,
      creator_id: creatorId,
      name: path,
      path,
      visibility: 'private',
      full_path: `${group.full_path}/${path}`,
      runners_token_digest: `${group.full_path}/${path}`,
      runners_token_encrypted: '',
      created_at: 0,
      updated_at: 0,
      last_activity_at: 0,
    })
    .returning(['id', 'namespace_id'])
    .executeTakeFirstOrThrow()
}

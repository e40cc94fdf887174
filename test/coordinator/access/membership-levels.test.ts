import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  createGroupLevelsReader,
  createProjectLevelsReader,
  highest,
  levelsInGroups,
  levelsInProjects,
  NO_LEVELS,
} from '../../../src/coordinator/access/membership-levels.js'
import { withMemberships } from '../../../src/coordinator/access/memberships.js'
import {
  isMemberOfGroup,
  isMemberOfProject,
  maySeeGroup,
  maySeeProject,
  type Viewer,
} from '../../../src/coordinator/access/visibility.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { describeOnDatabase } from '../../support/databases.js'
import { fuzzRuns } from '../../support/fuzz-runs.js'
import { build, modelOf, type World, worlds } from './world.js'

describeOnDatabase('the level that counts', (open) => {
  test('is the highest of memberships, inherited ones and shares, one by one and in lists', async () => {
    const { database } = await open()
    let count = 0
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        await agreeOn(database, world, `w${(count += 1)}`)
      }),
      fuzzRuns(8),
    )
  })

  test('in a personal namespace is that of its user', async () => {
    const { database } = await open()
    const { users } = await build(database, EMPTY, 'w')
    const [owner, other] = users.map(({ id }) => id) as [number, number]
    const namespace = await database
      .selectFrom('namespace')
      .select('id')
      .where('owner_id', '=', owner)
      .executeTakeFirstOrThrow()
    const project = await database
      .updateTable('project')
      .set({ namespace_id: namespace.id })
      .returning(['id', 'namespace_id'])
      .executeTakeFirstOrThrow()
    const levelsOf = createProjectLevelsReader(database)
    expect(await levelsOf(owner, project)).toEqual({ ...NO_LEVELS, personal: 50 })
    expect(await levelsOf(other, project)).toEqual(NO_LEVELS)
    expect(await memberships(database, owner, 50)).toContain(project.id)
    expect(await memberships(database, other, 1)).not.toContain(project.id)
  })
})

const EMPTY: World = {
  parents: [undefined],
  projects: [0],
  members: [],
  shares: [],
}

async function agreeOn(database: Database, world: World, name: string): Promise<void> {
  const { users, groups, projects } = await build(database, world, name)
  for (const [index, { id: user }] of users.entries()) {
    const { levelInGroup, levelInProject } = modelOf(world, index)
    const ofProjects = projects.map(({ id }, at) => [id, levelInProject(at)] as const)
    const ofGroups = groups.map(({ id }, at) => [id, levelInGroup(at)] as const)
    await expectReaders(database, user, { projects, ofProjects, ofGroups })
    for (const least of [1, 20, 50]) {
      expect(await memberships(database, user, least)).toEqual(idsFrom(ofProjects, least))
      expect(await groupMemberships(database, user, least)).toEqual(idsFrom(ofGroups, least))
    }
    const viewer = { id: user, is_admin: false, external: false }
    const seen = await database.selectFrom('project').select('id').where(maySeeProject(viewer)).execute()
    expect(seen.map(({ id }) => id).sort(byNumber)).toEqual(idsFrom(ofProjects, 1))
    const seenGroups = await database
      .selectFrom('namespace')
      .select('id')
      .where('kind', '=', 'group')
      .where(maySeeGroup(viewer))
      .execute()
    expect(seenGroups.map(({ id }) => id).sort(byNumber)).toEqual(idsFrom(ofGroups, 1))
  }
}

type Level = readonly [id: number, level: number]

async function expectReaders(
  database: Database,
  user: number,
  expected: { projects: { id: number; namespace_id: number }[]; ofProjects: Level[]; ofGroups: Level[] },
): Promise<void> {
  const inProject = createProjectLevelsReader(database)
  const inGroup = createGroupLevelsReader(database)
  const inProjects = await levelsInProjects(database, user, idsFrom(expected.ofProjects, 0))
  const inGroups = await levelsInGroups(database, user, idsFrom(expected.ofGroups, 0))
  for (const [index, [id, level]] of expected.ofProjects.entries()) {
    expect(highest(await inProject(user, expected.projects[index]!))).toBe(level)
    expect(highest(inProjects.get(id) ?? NO_LEVELS)).toBe(level)
  }
  for (const [id, level] of expected.ofGroups) {
    expect(highest(await inGroup(user, id))).toBe(level)
    expect(highest(inGroups.get(id) ?? NO_LEVELS)).toBe(level)
  }
}

async function memberships(database: Database, user: number, least: number): Promise<number[]> {
  const rows = await database
    .selectFrom('project')
    .select('id')
    .where(isMemberOfProject({ id: user }, least))
    .execute()
  const viewer: Viewer = { id: user, is_admin: false, external: false }
  const memberships = (await withMemberships(database, viewer)).memberships
  const named = await database
    .selectFrom('project')
    .select('id')
    .where(isMemberOfProject({ id: user, memberships }, least))
    .execute()
  expect(memberships).toBeDefined()
  expect(new Set(named)).toEqual(new Set(rows))
  return rows.map(({ id }) => id).sort(byNumber)
}

async function groupMemberships(database: Database, user: number, least: number): Promise<number[]> {
  const rows = await database
    .selectFrom('namespace')
    .select('id')
    .where(isMemberOfGroup(user, least))
    .execute()
  return rows.map(({ id }) => id).sort(byNumber)
}

function idsFrom(levels: Level[], least: number): number[] {
  return levels
    .filter(([, level]) => level >= least)
    .map(([id]) => id)
    .sort(byNumber)
}

function byNumber(one: number, other: number): number {
  return one - other
}

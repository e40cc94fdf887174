import { expect, test } from 'vitest'

import { type ListScope, readListScope } from '../../../src/coordinator/access/list-scope.js'
import { isMemberOfProject, type Viewer } from '../../../src/coordinator/access/visibility.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import { dialectOf } from '../../../src/coordinator/database/dialect.js'
import { describeOnDatabase } from '../../support/databases.js'
import { build, type World } from './world.js'

describeOnDatabase('what a list of a group is limited to', (open) => {
  test.each([
    { groups: 100, areFew: true },
    { groups: 101, areFew: false },
  ])('finds the projects below $groups groups, of which the user is a member', async ({ groups, areFew }) => {
    const { database } = await open()
    const { users, groups: built, projects } = await build(database, ofGroups(groups), 'w')
    const member: Viewer = { id: users[0]!.id, is_admin: false, external: false }
    // The personal namespace is one as well.
    await database.deleteFrom('namespace').where('owner_id', '=', member.id).execute()

    const scope = await readListScope(database, { viewer: member, groupId: built[0]!.id })

    expect(scope.viewer.memberships?.namespaces.length).toBe(areFew ? groups : undefined)
    expect(await projectsIn(database, scope)).toEqual([projects[0]!.id])
    const { sql } = database.selectFrom('project').where('namespace_id', 'in', scope.groupIds!).compile()
    const namesThem = areFew && dialectOf(database) === 'postgres'
    expect(sql.includes('select group_id')).toBe(!namesThem)
  })
})

/** A project in the last of so many groups, which are all in the first one, and a member of that. */
function ofGroups(groups: number): World {
  return {
    parents: Array.from({ length: groups }, (_, index) => (index === 0 ? undefined : 0)),
    projects: [groups - 1],
    members: [{ to: { kind: 'group', index: 0 }, who: 0, level: 30, expired: false }],
    shares: [],
  }
}

async function projectsIn(
  database: Database,
  { viewer, groupIds }: ListScope<NonNullable<Viewer>>,
): Promise<number[]> {
  const rows = await database
    .selectFrom('project')
    .select('id')
    .where('namespace_id', 'in', groupIds!)
    .where(isMemberOfProject(viewer, 30))
    .execute()
  return rows.map(({ id }) => id)
}

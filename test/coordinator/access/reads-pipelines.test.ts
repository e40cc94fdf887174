import { expect, test } from 'vitest'

import { readsPipelines } from '../../../src/coordinator/access/planning-visibility.js'
import type { Database } from '../../../src/coordinator/database/connect.js'
import type { ProjectRow, UserRow } from '../../../src/coordinator/database/tables/pipeline-rows.js'
import { mayInProject } from '../../../src/coordinator/start/services/may-in-project.js'
import { describeOnEachDatabase } from '../../support/databases.js'
import { addProject, addUser } from '../ci/engine/support/records.js'

const LEVELS = ['enabled', 'private', 'disabled'] as const

/** A project of each combination of the settings on which the permission depends. */
async function addProjects(database: Database, owner: UserRow): Promise<ProjectRow[]> {
  const original = await addProject(database, owner)
  const ids: number[] = []
  for (const visibility of ['public', 'internal', 'private'] as const)
    for (const builds_access_level of LEVELS)
      for (const repository_access_level of LEVELS)
        for (const public_jobs of [true, false]) {
          const path = `${original.path}-${ids.length}`
          const { id, ...row } = original
          const { id: copy } = await database
            .insertInto('project')
            .values({
              ...row,
              path,
              full_path: `${original.full_path}-${id}-${ids.length}`,
              runners_token_digest: path,
              visibility,
              builds_access_level,
              repository_access_level,
              public_jobs,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
          ids.push(copy)
        }
  return database.selectFrom('project').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

describeOnEachDatabase('the projects whose pipelines a list shows', (open) => {
  test('are those in which the caller may read pipelines', async () => {
    const { database } = await open()
    const projects = await addProjects(database, await addUser(database))
    const admin = { ...(await addUser(database)), is_admin: true }
    const external = { ...(await addUser(database)), external: true }
    const viewers: (UserRow | undefined)[] = [undefined, admin, external, await addUser(database)]
    for (const access_level of [10, 20, 30]) {
      const member = await addUser(database)
      const rows = projects.map(({ id }) => ({
        project_id: id,
        user_id: member.id,
        access_level,
        created_at: 0,
      }))
      await database.insertInto('member').values(rows).execute()
      viewers.push(member)
    }
    const mayRead = mayInProject(database)
    const counts: number[] = []
    for (const viewer of viewers) {
      const expected: number[] = []
      for (const project of projects) {
        if (await mayRead('read_pipelines', viewer, project)) expected.push(project.id)
      }
      const ids = projects.map(({ id }) => id)
      const rows = await database
        .selectFrom('project')
        .select('id')
        .where('id', 'in', ids)
        .where(readsPipelines(viewer))
        .orderBy('id')
        .execute()
      expect(rows.map(({ id }) => id)).toEqual(expected)
      counts.push(expected.length)
    }
    expect(counts).toEqual([1, 24, 1, 2, 12, 24, 24])
  })
})

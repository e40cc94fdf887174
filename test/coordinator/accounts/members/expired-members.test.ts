import { expect, test } from 'vitest'

import { deleteExpiredMembers } from '../../../../src/coordinator/accounts/members/delete-expired-members.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { addMember, addProject, openPeopleApi } from '../../support/people-api.js'
import { addPerson } from '../../support/test-app.js'

const HOUR = 3600 * 1000

function expire(database: Database, userId: number, expires_at: number) {
  return database.updateTable('member').set({ expires_at }).where('user_id', '=', userId).execute()
}

/** The events for system hooks, in order of occurrence. */
async function told(database: Database): Promise<object[]> {
  const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
  return events.map(({ facts }) => facts)
}

describeOnDatabase('expired memberships', (open) => {
  test('expired members are removed and reported once; others stay', async () => {
    const store = await open()
    const { database } = store
    const api = await openPeopleApi({ open: () => Promise.resolve(store) })
    const [mary, paul] = [await addPerson(database, 'mary'), await addPerson(database, 'paul')]
    const project = await addProject(api, api.root, { name: 'it' })
    const made = await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })
    const group = made.json<{ id: number }>()
    for (const who of [mary, paul]) await addMember(api, api.root, project.id, who, 30)
    await api.call(api.root, `POST /groups/${group.id}/members`, { user_id: mary.id, access_level: 20 })
    await api.call(api.root, 'POST /hooks', { url: 'https://hooks.example.com/' })
    const now = Date.now()
    await expire(database, mary.id, now - HOUR)
    await expire(database, paul.id, now + HOUR)

    const removed = await Promise.all([
      deleteExpiredMembers(database, now),
      deleteExpiredMembers(database, now),
    ])
    expect(removed[0] + removed[1]).toBe(2)
    expect(await told(database)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          event_name: 'user_remove_from_team',
          project_id: project.id,
          user_username: 'mary',
          access_level: 'Developer',
        }),
        expect.objectContaining({
          event_name: 'user_remove_from_group',
          group_id: group.id,
          user_username: 'mary',
          group_access: 'Reporter',
        }),
      ]),
    )
    expect(await told(database)).toHaveLength(2)
    const list = await api.call(api.root, `GET /projects/${project.id}/events?action=expired`)
    expect(list.json()).toMatchObject([
      { action_name: 'removed due to membership expiration from', author_username: 'mary' },
    ])
    const members = await api.call(api.root, `GET /projects/${project.id}/members`)
    expect(members.json()).toMatchObject([{ username: 'root' }, { username: 'paul' }])
    expect(await deleteExpiredMembers(database, now + HOUR)).toBe(1)
  })
})

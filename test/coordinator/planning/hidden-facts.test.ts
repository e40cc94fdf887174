import { expect, test } from 'vitest'

import { sceneForFile } from '../../support/scene-for-file.js'
import { addPerson } from '../support/test-app.js'
import { openPlanningScene } from './support/planning-scene.js'

const scene = sceneForFile(openPlanningScene)

test('a search by a private address finds its account for administrators alone', async () => {
  const { ok, services, root } = await scene()
  const { database } = services
  const ann = await addPerson(database, 'ann')
  const hidden = await addPerson(database, 'hidden')
  const found = async (search: string, as = ann) =>
    (await ok<{ username: string }[]>(`GET /users?search=${search}`, undefined, as)).map(
      ({ username }) => username,
    )
  expect(await found('hidden@example.com')).toEqual([])
  expect(await found('hidden@example.com', root)).toEqual(['hidden'])
  expect(await found('hidden')).toEqual(['hidden'])
  await database
    .updateTable('user_profile')
    .set({ public_email: 'hidden@example.com' })
    .where('user_id', '=', hidden.id)
    .execute()
  expect(await found('HIDDEN@example.com')).toEqual(['hidden'])
})

test('the bots of tokens are listed for those who see their project', async () => {
  const { ok, services, project, root } = await scene()
  const { database } = services
  const stranger = await addPerson(database, 'stranger')
  const bot = await addPerson(database, 'bot')
  await database.updateTable('user').set({ kind: 'bot' }).where('id', '=', bot.id).execute()
  const member = { project_id: project, user_id: bot.id, access_level: 30, created_at: Date.now() }
  await database.insertInto('member').values(member).execute()
  const isListed = async (as: typeof root) =>
    (await ok<{ username: string }[]>('GET /users?search=bot', undefined, as)).length === 1
  const show = (visibility: 'private' | 'public') =>
    database.updateTable('project').set({ visibility }).where('id', '=', project).execute()
  await show('private')
  expect([await isListed(stranger), await isListed(root)]).toEqual([false, true])
  await show('public')
  expect(await isListed(stranger)).toBe(true)
})

test('counts leave out internal comments, and to-do items of projects that the user no longer sees', async () => {
  const { ok, person, project, P, services } = await scene()
  const { database } = services
  const mary = await person('mary')
  await ok(`POST ${P}/issues`, { title: 'a' })
  await ok(`POST ${P}/issues/1/notes`, { body: 'open' })
  await ok(`POST ${P}/issues/1/notes`, { body: 'secret', internal: true })
  expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ user_notes_count: 1 })
  await ok(`POST ${P}/issues/1/todo`, {}, mary)
  expect(await ok('GET /user_counts', undefined, mary)).toMatchObject({ todos: 1 })
  await database.deleteFrom('member').where('user_id', '=', mary.id).execute()
  await database.updateTable('project').set({ visibility: 'private' }).where('id', '=', project).execute()
  expect(await ok('GET /user_counts', undefined, mary)).toMatchObject({ todos: 0 })
})

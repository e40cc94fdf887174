import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { type CiCoordinator, startCiCoordinator } from '../../support/ci-coordinator.js'
import { type CallInProject, projectTeam } from '../../support/project-team.js'
import type { Person } from '../../support/test-app.js'

interface Trigger {
  id: number
  token: string
}

interface Scene {
  coordinator: CiCoordinator
  maintainer: Person
  other: Person
  developer: Person
  /** Calls `GET /triggers` and the like. */
  call: CallInProject
}

async function openScene(open: OpenDatabase = openSqlite): Promise<Scene> {
  const coordinator = await startCiCoordinator({}, open)
  const { person, call } = projectTeam(coordinator)
  return {
    coordinator,
    maintainer: await person('max', 40),
    other: await person('mia', 40),
    developer: await person('dora', 30),
    call,
  }
}

describeOnDatabase('a trigger token', (open) => {
  test('is made, listed, changed, taken over and deleted; only its owner sees it whole', async () => {
    const { coordinator, maintainer, other, call } = await openScene(open)
    const made = await call(maintainer, 'POST /triggers', { description: 'nightly' })
    expect(made.statusCode).toBe(201)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
    const { id, token } = made.json<Trigger>()
    expect(token).toMatch(/^glptt-[\w-]{20}$/)
    expect(made.json()).toEqual({
      id,
      token,
      description: 'nightly',
      created_at: time,
      updated_at: time,
      last_used: null,
      expires_at: null,
      owner: expect.objectContaining({ username: 'max' }) as object,
    })
    const rows = await coordinator.database.selectFrom('trigger_token').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token.slice('glptt-'.length))

    const shortened = token.slice('glptt-'.length, 'glptt-'.length + 4)
    const listed = await call(other, 'GET /triggers')
    expect(listed.json()).toMatchObject([{ id, token: shortened }])
    expect(listed.headers['x-total']).toBe('1')
    expect((await call(maintainer, `GET /triggers/${id}`)).json()).toMatchObject({ token })

    const changed = await call(other, `PUT /triggers/${id}`, { description: 'daily' })
    expect(changed.json()).toMatchObject({ description: 'daily', token: shortened })
    const taken = await call(other, `POST /triggers/${id}/take_ownership`)
    expect(taken.statusCode).toBe(201)
    expect(taken.json()).toMatchObject({ token, owner: { username: 'mia' } })
    expect((await call(maintainer, `GET /triggers/${id}`)).json()).toMatchObject({ token: shortened })

    expect((await call(maintainer, `DELETE /triggers/${id}`)).statusCode).toBe(204)
    const gone = await call(maintainer, `GET /triggers/${id}`)
    expect([gone.statusCode, gone.json()]).toEqual([404, { message: '404 Trigger Not Found' }])
  })
})

test('trigger tokens are for maintainers', async () => {
  const { developer, maintainer, call } = await openScene()
  const { id } = (await call(maintainer, 'POST /triggers', { description: 'a' })).json<Trigger>()
  for (const route of [
    'GET /triggers',
    `GET /triggers/${id}`,
    'POST /triggers',
    `PUT /triggers/${id}`,
    `POST /triggers/${id}/take_ownership`,
    `DELETE /triggers/${id}`,
  ]) {
    expect((await call(developer, route, { description: 'b' })).statusCode).toBe(403)
    expect((await call(undefined, route, { description: 'b' })).statusCode).toBe(401)
  }
  const missing = await call(maintainer, 'POST /triggers')
  expect(missing.json()).toEqual({ error: 'description is missing' })
})

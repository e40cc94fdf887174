import { expect, test } from 'vitest'

import { openPeopleApi } from '../../coordinator/support/people-api.js'
import { addPerson } from '../../coordinator/support/test-app.js'

const ADDRESS = 'victim@company.example'

async function open() {
  const api = await openPeopleApi()
  const [eve, victim] = [await addPerson(api.database, 'eve'), await addPerson(api.database, 'victim')]
  const add = async (skip_confirmation?: boolean) => {
    const response = await api.call(eve, 'POST /user/emails', { email: ADDRESS, skip_confirmation })
    return response.json<{ id: number; confirmed_at: string | null }>()
  }
  return { api, eve, victim, add }
}

test('an address that a user adds is not confirmed, whatever the user asks for', async () => {
  const { add, api, eve } = await open()
  expect(await add(true)).toMatchObject({ confirmed_at: null })
  expect((await api.call(eve, 'GET /user/emails')).json()).toMatchObject([{ confirmed_at: null }])
})

test('an address that a user only claims is neither shown nor committed with', async () => {
  const { add, api, eve } = await open()
  await add()
  for (const name of ['public_email', 'commit_email']) {
    const response = await api.call(api.root, `PUT /users/${eve.id}`, { [name]: ADDRESS })
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { message: { [name]: ['is not an email you own'] } },
    ])
  }
})

test('a claim does not keep an address from the one it belongs to', async () => {
  const { add, api, eve, victim } = await open()
  await add()
  const claimed = await api.call(victim, 'POST /user/emails', { email: ADDRESS })
  expect(claimed.statusCode).toBe(201)
  const confirmed = await api.call(api.root, 'POST /user/emails', { email: ADDRESS, skip_confirmation: true })
  expect(confirmed.json()).toMatchObject({ email: ADDRESS, confirmed_at: expect.any(String) as string })
  await api.call(api.root, `DELETE /user/emails/${confirmed.json<{ id: number }>().id}`)
  const account = { username: 'new', name: 'New', email: ADDRESS, force_random_password: true }
  expect((await api.call(api.root, 'POST /users', account)).statusCode).toBe(201)
  expect((await api.call(eve, 'POST /user/emails', { email: ADDRESS })).statusCode).toBe(400)
})

test('an address that is confirmed for one user is refused to others, and to the same user once more', async () => {
  const { add, api, eve, victim } = await open()
  await api.call(api.root, `POST /users/${victim.id}/emails`, { email: ADDRESS, skip_confirmation: true })
  for (const who of [eve, victim]) {
    const response = await api.call(who, 'POST /user/emails', { email: ADDRESS.toUpperCase() })
    expect(response.json()).toEqual({ message: { email: ['has already been taken'] } })
  }
  expect(await add()).not.toHaveProperty('id')
})

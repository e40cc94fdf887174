import { expect, test } from 'vitest'

import { openForFile } from '../../support/lifetime.js'
import { callAs, openBrowser } from '../support/browser.js'
import type { Person } from '../support/test-app.js'
import { openSignInScene } from './scene.js'

const scene = openForFile(() => openSignInScene())

/** Creates a token in a session, which a token has opened if `opener` is given. */
async function create(as: Person, wanted: object, opener?: { scopes: string[]; expires_at?: number }) {
  const { app, database } = scene()
  let personalTokenId: number | null = null
  if (opener) {
    const { id } = await database
      .insertInto('personal_access_token')
      .values({
        user_id: as.id,
        name: 'opener',
        digest: `${as.id} ${JSON.stringify(opener)} ${Math.random()}`,
        scopes: JSON.stringify(opener.scopes),
        expires_at: opener.expires_at ?? null,
        created_at: Date.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    personalTokenId = id
  }
  const browser = await openBrowser(database, as, { personalTokenId })
  const response = await callAs(app, browser, 'POST /user/personal_access_tokens', { name: 'new', ...wanted })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}

test('a session makes tokens of any scope, which work', async () => {
  const { app, mary } = scene()
  const { status, body } = await create(mary, { scopes: ['api', 'write_repository'] })
  expect([status, body['scopes'], body['user_id']]).toEqual([201, ['api', 'write_repository'], mary.id])
  const headers = { 'private-token': String(body['token']) }
  expect((await app.inject({ url: '/api/v4/user', headers })).statusCode).toBe(200)
})

test('sudo is for administrators alone', async () => {
  const { root, mary } = scene()
  const refused = await create(mary, { scopes: ['api', 'sudo'] })
  expect(refused).toEqual({
    status: 400,
    body: { message: { scopes: ['can only contain sudo and admin_mode for administrators'] } },
  })
  expect((await create(root, { scopes: ['api', 'sudo'] })).status).toBe(201)
})

test('a session that a token has opened makes none with more scopes', async () => {
  const { mary } = scene()
  const opener = { scopes: ['api', 'read_repository'] }
  expect((await create(mary, { scopes: ['read_repository', 'self_rotate'] }, opener)).status).toBe(201)
  expect(await create(mary, { scopes: ['api', 'write_repository'] }, opener)).toEqual({
    status: 400,
    body: { message: { scopes: ['can only contain those of the token with which you signed in'] } },
  })
})

test('a session that a token has opened makes none that lasts longer', async () => {
  const { mary } = scene()
  const opener = { scopes: ['api'], expires_at: Date.parse('2999-01-02') }
  const statusWith = async (expires_at?: string) =>
    (await create(mary, { scopes: ['api'], ...(expires_at !== undefined && { expires_at }) }, opener)).status
  expect([await statusWith('2999-01-02'), await statusWith('2999-01-03'), await statusWith()]).toEqual([
    201, 400, 400,
  ])
})

test('a token makes only tokens that do little', async () => {
  const { call, mary } = scene()
  const refused = await call(mary, 'POST /user/personal_access_tokens', { name: 'x', scopes: ['api'] })
  expect(refused.json()).toEqual({ error: 'scopes[0] does not have a valid value' })
})

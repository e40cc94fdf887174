import { describe, expect, test } from 'vitest'

import { createScimToken } from '../../../src/coordinator/scim/tokens/store.js'
import { openForFile } from '../../support/lifetime.js'
import { ada, openScimScene, provision, refusalOf, type ScimClient } from './scene.js'

const scene = openForFile(openScimScene)
const IDENTITY = { provider: 'corp', extern_uid: 'mary-at-corp' }

describe('a token', () => {
  test('of another kind, of no provider, revoked or replaced, is refused', async () => {
    const { client, root, call, database, tokenOf } = scene()
    const ofNobody = await createScimToken(database, 'gone', null)
    const old = await tokenOf('other')
    const revoked = await tokenOf('other')
    expect((await client(revoked).send('GET /Users')).statusCode).toBe(200)
    expect((await call(root, 'DELETE /scim_tokens/other')).statusCode).toBe(204)
    for (const token of ['', 'wrong', root.token, ofNobody.token, old, revoked]) {
      const response = await client(token).send('GET /Users')
      expect(refusalOf(response), token).toEqual([401, undefined, 'scim_token_invalid'])
      expect(response.headers['content-type']).toBe('application/scim+json')
    }
  })

  test('opens SCIM and nothing else, is shown once, and stored as a digest', async () => {
    const { app, database, root, call, tokenOf } = scene()
    const token = await tokenOf('corp')
    const opened = await app.inject({ url: '/api/v4/user', headers: { authorization: `Bearer ${token}` } })
    expect(opened.statusCode).toBe(401)
    const listed = await call(root, 'GET /scim_tokens')
    expect(listed.json()).toContainEqual(
      expect.objectContaining({ provider: 'corp', created_by_id: root.id, last_used_at: null }),
    )
    const stored = JSON.stringify(await database.selectFrom('scim_token').selectAll().execute())
    expect([listed.body, stored].join().includes(token)).toBe(false)
    const events = (await call(root, 'GET /audit_events?per_page=100')).body
    expect([events.includes('Created the SCIM token of corp'), events.includes(token)]).toEqual([true, false])
    expect((await call(root, 'POST /scim_tokens/none')).statusCode).toBe(404)
  })

  test('of one provider neither sees nor changes users and groups of another one', async () => {
    const { client, tokenOf, stateOf } = scene()
    const [corp, other] = [client(await tokenOf('corp')), client(await tokenOf('other'))]
    const id = await provision(corp, {
      userName: 'own',
      externalId: 'own',
      emails: [{ value: 'own@x.example' }],
    })
    const group = (await corp.send('POST /Groups', { displayName: 'Own' })).json<{ id: string }>()
    const responses = [
      await other.send(`GET /Users/${id}`),
      await other.send(`PUT /Users/${id}`, ada()),
      await other.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
      await other.send(`DELETE /Users/${id}`),
      await other.send(`GET /Groups/${group.id}`),
      await other.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'Theirs' }),
      await other.send(`DELETE /Groups/${group.id}`),
    ]
    for (const response of responses) {
      expect(refusalOf(response)).toEqual([404, undefined, 'scim_resource_not_found'])
    }
    expect((await other.send('GET /Users?filter=userName+eq+"own"')).json()).toMatchObject({
      totalResults: 0,
    })
    expect(await stateOf('own')).toBe('active')
    const theirs = (await other.send('POST /Groups', { displayName: 'Own' })).json<{ id: string }>()
    const added = await other.patch(`/Groups/${theirs.id}`, {
      op: 'add',
      path: 'members',
      value: [{ value: String(id) }],
    })
    expect(refusalOf(added)).toEqual([400, 'invalidValue', 'scim_invalid_value'])
  })
})

describe('an account that SCIM does not manage', () => {
  test('is not taken over by its address, but managed once it is linked to the provider', async () => {
    const { corp: client, mary, call, root, stateOf } = await openScimScene()
    const claim = ada({ userName: 'm', externalId: 'mary-at-corp', emails: [{ value: 'MARY@example.com' }] })
    const refused = await client.send('POST /Users', claim)
    expect(refusalOf(refused)).toEqual([409, 'uniqueness', 'scim_account_not_linked'])
    expect(refused.json<{ detail: string }>().detail).toContain('Link the account')
    for (const user of [mary, root]) {
      expect((await client.send(`GET /Users/${user.id}`)).statusCode).toBe(404)
      expect((await client.send(`DELETE /Users/${user.id}`)).statusCode).toBe(404)
    }
    await call(root, `PUT /users/${mary.id}`, IDENTITY)
    const managed = await client.send('POST /Users', claim)
    expect([managed.statusCode, managed.json()]).toMatchObject([201, { id: String(mary.id), userName: 'm' }])
    expect((await call(mary, 'DELETE /user/identities/corp')).statusCode).toBe(409)
    await client.send(`DELETE /Users/${mary.id}`)
    expect([await stateOf('mary'), (await call(mary, 'GET /user')).statusCode]).toEqual(['blocked', 403])
    expect((await client.send('POST /Users', claim)).statusCode).toBe(201)
    expect(await stateOf('mary')).toBe('active')
  })

  test('gives its address to no managed user', async () => {
    const { client, tokenOf, mary } = scene()
    const corp = client(await tokenOf('corp'))
    const id = await provision(corp)
    const emails = [{ value: mary.email }]
    const stolen = await corp.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: emails })
    expect(refusalOf(stolen)).toEqual([409, 'uniqueness', 'email_taken'])
    const twice = await corp.send('POST /Users', ada())
    expect(refusalOf(twice)).toEqual([409, 'uniqueness', 'scim_user_name_taken'])
    const other = ada({ userName: 'other', externalId: 'ada-at-corp' })
    expect(refusalOf(await corp.send('POST /Users', other))).toEqual([409, 'uniqueness', 'scim_user_exists'])
  })

  test('that another provider manages is not managed by a second one', async () => {
    const { client, tokenOf, call, root } = scene()
    const kim = { userName: 'kim@corp.example', externalId: 'kim', emails: [] }
    const id = await provision(client(await tokenOf('corp')), kim)
    await call(root, `PUT /users/${id}`, { provider: 'other', extern_uid: 'kim' })
    const response = await client(await tokenOf('other')).send('POST /Users', ada(kim))
    expect(refusalOf(response)).toEqual([409, 'uniqueness', 'scim_managed_by_other'])
  })

  test('because it belongs to a bot stays so, though it has an identity', async () => {
    const { client, tokenOf, database, call, root, mary } = scene()
    await call(root, `PUT /users/${mary.id}`, IDENTITY)
    await database.updateTable('user').set({ kind: 'bot' }).where('id', '=', mary.id).execute()
    const body = ada({ userName: 'bot', externalId: IDENTITY.extern_uid })
    const response = await client(await tokenOf('corp')).send('POST /Users', body)
    expect(refusalOf(response)).toEqual([403, undefined, 'scim_no_person'])
  })
})

describe('an administrator', () => {
  const managedRoot = openForFile(async () => {
    const opened = await openScimScene()
    const { call, root, corp } = opened
    await call(root, `PUT /users/${root.id}`, { provider: 'corp', extern_uid: 'root-at-corp' })
    await provision(corp, { userName: 'root', externalId: 'root-at-corp', emails: [{ value: root.email }] })
    return Object.assign(opened, { call, path: `/Users/${root.id}` as const })
  })

  test('is nobody by what SCIM says', async () => {
    const { client, tokenOf, database } = scene()
    const corp = client(await tokenOf('corp'))
    const rights = { is_admin: true, admin: true, roles: [{ value: 'admin' }], entitlements: ['admin'] }
    const columns = { state: 'active', kind: 'bot', projects_limit: 9999, user_id: 1, provider: 'other' }
    const lee = { userName: 'lee@corp.example', externalId: 'lee', emails: [] }
    const id = await provision(corp, { ...lee, ...rights, ...columns, __proto__: { is_admin: true } })
    await corp.patch(`/Users/${id}`, { op: 'add', value: { ...rights, ...columns } })
    await corp.patch(`/Users/${id}`, { op: 'add', path: 'roles', value: [{ value: 'admin' }] })
    const user = database.selectFrom('user').selectAll().where('id', '=', id)
    expect(await user.executeTakeFirst()).toMatchObject({
      is_admin: false,
      kind: 'human',
      projects_limit: 100000,
    })
    const row = database.selectFrom('scim_user').select('provider').where('user_id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ provider: 'corp' })
  })

  test('keeps address and identity', async () => {
    const { corp, path } = managedRoot()
    for (const change of [
      { op: 'replace', path: 'emails', value: [{ value: 'mallory@evil.example' }] },
      { op: 'replace', path: 'externalId', value: 'mallory-at-corp' },
    ]) {
      const response = await corp.patch(path, change)
      expect(refusalOf(response)).toEqual([403, 'mutability', 'scim_administrator'])
    }
    expect((await corp.patch(path, { op: 'replace', path: 'displayName', value: 'Boss' })).statusCode).toBe(
      200,
    )
  })

  test('is not deactivated as the only one', async () => {
    const { corp, path, stateOf, call, root, mary } = managedRoot()
    const off = { op: 'replace', path: 'active', value: false }
    for (const response of [await corp.patch(path, off), await corp.send(`DELETE ${path}`)]) {
      expect(refusalOf(response)).toEqual([403, undefined, 'scim_last_administrator'])
    }
    expect(await stateOf('root')).toBe('active')
    await call(root, `PUT /users/${mary.id}`, { admin: true })
    expect((await corp.patch(path, off)).statusCode).toBe(200)
    expect(await stateOf('root')).toBe('blocked')
  })
})

/** Requests of a provider that are not valid, or made to cost much. */
const BAD: [
  name: string,
  send: (client: ScimClient, id: number) => ReturnType<ScimClient['send']>,
  unknown[],
][] = [
  ['no JSON', (client) => client.send('POST /Users', '{'), [400, 'invalidSyntax', 'malformed_body']],
  ['a list', (client) => client.send('POST /Users', '[]'), [400, 'invalidSyntax', 'malformed_body']],
  [
    'a text that is too long',
    (client) => client.send('POST /Users', ada({ displayName: 'x'.repeat(300) })),
    [400, 'invalidValue', 'scim_invalid_value'],
  ],
  [
    'a NUL',
    (client) => client.send('POST /Users', ada({ displayName: 'a\0b' })),
    [400, 'invalidValue', 'scim_invalid_value'],
  ],
  [
    'no externalId',
    (client) => client.send('POST /Users', ada({ userName: 'x@y.example', externalId: null })),
    [400, 'invalidValue', 'scim_invalid_value'],
  ],
  [
    'an address that is none',
    (client) =>
      client.send('POST /Users', ada({ userName: 'x', externalId: 'x', emails: [{ value: 'no' }] })),
    [400, 'invalidValue', 'invalid_record'],
  ],
  [
    'active that is no boolean',
    (client, id) => client.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: 'perhaps' }),
    [400, 'invalidValue', 'scim_invalid_value'],
  ],
  [
    'an unknown op',
    (client, id) => client.patch(`/Users/${id}`, { op: 'move', path: 'active' }),
    [400, 'invalidSyntax', 'scim_invalid_syntax'],
  ],
  [
    'a remove of nothing',
    (client, id) => client.patch(`/Users/${id}`, { op: 'remove' }),
    [400, 'noTarget', 'scim_no_target'],
  ],
  [
    'a remove of userName',
    (client, id) => client.patch(`/Users/${id}`, { op: 'remove', path: 'userName' }),
    [400, 'invalidValue', 'scim_invalid_value'],
  ],
  [
    'a path that is none',
    (client, id) => client.patch(`/Users/${id}`, { op: 'remove', path: 'emails[type eq' }),
    [400, 'invalidPath', 'scim_invalid_path'],
  ],
  [
    'elements that do not exist',
    (client, id) =>
      client.patch(`/Users/${id}`, { op: 'replace', path: 'emails[value co "zz"].value', value: 'a@b.c' }),
    [400, 'noTarget', 'scim_no_target'],
  ],
  [
    'a filter of nested brackets',
    (client) => client.send(`GET /Users?filter=${'('.repeat(1500)}`),
    [400, 'invalidFilter', 'scim_invalid_filter'],
  ],
  [
    'a filter by what is not searched',
    (client) => client.send('GET /Users?filter=password+sw+"a"'),
    [400, 'invalidFilter', 'scim_invalid_filter'],
  ],
  [
    'another version',
    (client, id) => client.send(`PUT /Users/${id}`, ada(), { 'if-match': 'W/"old"' }),
    [412, undefined, 'scim_version_mismatch'],
  ],
  [
    'a member that is none',
    (client) => client.send('POST /Groups', { displayName: 'G', members: [{ value: '1; drop' }] }),
    [400, 'invalidValue', 'scim_invalid_value'],
  ],
  [
    'another type of content',
    (client) => client.send('POST /Users', 'a=b', { 'content-type': 'text/plain' }),
    [415, undefined, 'unsupported_media_type'],
  ],
  [
    'a body that is too long',
    (client) => client.send('POST /Groups', { displayName: 'x'.repeat(1_100_000) }),
    [413, undefined, 'body_too_large'],
  ],
  ['Bulk', (client) => client.send('POST /Bulk', {}), [404, undefined, 'scim_endpoint_not_found']],
]

describe('a request with', () => {
  const prepared = openForFile(async () => {
    const opened = await openScimScene()
    return { client: opened.corp, id: await provision(opened.corp) }
  })

  test.each(BAD)('%s is refused in the form of SCIM', async (_name, send, refusal) => {
    const { client, id } = prepared()
    const response = await send(client, id)
    expect(refusalOf(response)).toEqual(refusal)
    const error = response.json<{ detail: string }>()
    expect(error).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(response.statusCode),
    })
    expect(error.detail).toMatch(/\w/)
  })
})

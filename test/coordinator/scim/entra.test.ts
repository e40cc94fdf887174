import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../support/databases.js'
import { BASE_URL, openScimScene } from './scene.js'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** As Microsoft documents what the provisioning service of Entra ID sends. */
describeOnDatabase('Entra ID', (open) => {
  test('provisions a user: test of the connection, search, creation, changes, deactivation, deletion', async () => {
    const { corp, stateOf, database } = await openScimScene({ open })
    const absent = await corp.send('GET /Users?filter=userName+eq+"3fa85f64-5717-4562-b3fc-2c963f66afa6"')
    expect([absent.statusCode, absent.headers['content-type']]).toEqual([200, 'application/scim+json'])
    expect(absent.json()).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
    const created = await corp.send('POST /Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Grace@corp.example',
      active: true,
      addresses: null,
      displayName: 'Grace Hopper',
      emails: [{ type: 'work', value: 'grace@corp.example', primary: true }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Grace Hopper', familyName: 'Hopper', givenName: 'Grace' },
      roles: [],
      phoneNumbers: null,
      title: 'Rear Admiral',
    })
    const user = created.json<{ id: string; meta: object }>()
    const location = `${BASE_URL}/Users/${user.id}`
    expect([created.statusCode, created.headers.location]).toEqual([201, location])
    expect(user).toMatchObject({
      schemas: [USER],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Grace@corp.example',
      name: { formatted: 'Grace Hopper', givenName: 'Grace', familyName: 'Hopper' },
      emails: [{ value: 'grace@corp.example', type: 'work', primary: true }],
      active: true,
      meta: { resourceType: 'User', location },
    })
    for (const filter of [
      'userName eq "grace@corp.example"',
      'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
      'emails[type eq "work"].value eq "grace@corp.example"',
    ]) {
      const found = await corp.send(`GET /Users?filter=${encodeURIComponent(filter)}`)
      expect(found.json(), filter).toMatchObject({ totalResults: 1, Resources: [{ id: user.id }] })
    }
    const path = `/Users/${user.id}`
    const changed = await corp.patch(
      path,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'admiral@corp.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Murray Hopper' },
      { op: 'Add', path: 'displayName', value: 'Admiral Hopper' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'IT',
      },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
    )
    expect([changed.statusCode, changed.json()]).toMatchObject([
      200,
      {
        displayName: 'Admiral Hopper',
        name: { givenName: 'Grace', familyName: 'Murray Hopper' },
        emails: [{ value: 'admiral@corp.example' }],
      },
    ])
    expect(
      await database.selectFrom('user').select(['name', 'email']).where('username', '=', 'grace').execute(),
    ).toEqual([{ name: 'Admiral Hopper', email: 'admiral@corp.example' }])
    const disabled = await corp.patch(path, { op: 'Replace', path: 'active', value: 'False' })
    expect([disabled.json(), await stateOf('grace')]).toMatchObject([{ active: false }, 'blocked'])
    const enabled = await corp.patch(path, { op: 'Add', path: 'active', value: 'True' })
    expect([enabled.json(), await stateOf('grace')]).toMatchObject([{ active: true }, 'active'])
    expect((await corp.send(`DELETE ${path}` as 'DELETE /')).statusCode).toBe(204)
    expect([(await corp.send(`GET ${path}` as 'GET /')).statusCode, await stateOf('grace')]).toEqual([
      404,
      'blocked',
    ])
  })

  test('pushes groups, whose members get the roles of the table in the settings', async () => {
    const groups = new Map([
      ['Developers', [{ path: 'app', accessLevel: 30 }]],
      [
        'b3c6-object-id',
        [
          { path: 'app', accessLevel: 40 },
          { path: 'missing', accessLevel: 10 },
        ],
      ],
    ])
    const scene = await openScimScene({ open, rules: { groups } })
    const { corp, levelsOf } = scene
    await scene.call(scene.root, 'POST /groups', { name: 'app', path: 'app' })
    const one = await create('one')
    const two = await create('two')
    const found = await corp.send('GET /Groups?excludedAttributes=members&filter=displayName+eq+"Developers"')
    expect(found.json()).toMatchObject({ totalResults: 0 })
    const created = await corp.send('POST /Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Developers',
      meta: { resourceType: 'Group' },
    })
    const { id } = created.json<{ id: string }>()
    expect([created.statusCode, created.headers.location]).toEqual([201, `${BASE_URL}/Groups/${id}`])
    const path = `/Groups/${id}`
    await corp.patch(path, {
      op: 'Add',
      path: 'members',
      value: [{ $ref: null, value: one }, { value: two }],
    })
    expect([await levelsOf(Number(one)), await levelsOf(Number(two))]).toEqual([{ app: 30 }, { app: 30 }])
    const whole = await corp.send(`GET ${path}` as 'GET /')
    expect(whole.json()).toMatchObject({ members: [{ value: one, type: 'User' }, { value: two }] })
    expect((await corp.send(`GET ${path}?excludedAttributes=members` as 'GET /')).json()).not.toHaveProperty(
      'members',
    )
    const membership = encodeURIComponent(`id eq "${id}" and members eq "${two}"`)
    expect((await corp.send(`GET /Groups?attributes=id&filter=${membership}`)).json()).toMatchObject({
      Resources: [{ id }],
    })
    await corp.patch(path, { op: 'Remove', path: 'members', value: [{ value: two }] })
    expect(await levelsOf(Number(two))).toEqual({})
    await corp.patch(path, { op: 'Replace', path: 'externalId', value: 'b3c6-object-id' })
    expect(await levelsOf(Number(one))).toEqual({ app: 40 })
    await corp.patch(path, { op: 'Replace', path: 'displayName', value: 'Others' })
    expect(await levelsOf(Number(one))).toEqual({ app: 40 })
    expect((await corp.send(`DELETE ${path}` as 'DELETE /')).statusCode).toBe(204)
    expect(await levelsOf(Number(one))).toEqual({})

    async function create(name: string): Promise<string> {
      const body = { externalId: `${name}-id`, userName: `${name}@corp.example`, active: true }
      return (await corp.send('POST /Users', { schemas: [USER], ...body })).json<{ id: string }>().id
    }
  })
})

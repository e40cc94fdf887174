import { expect, test } from 'vitest'

import { protectedEnvironmentPart } from '../../../../src/coordinator/ci/protected-environments/transfer.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { ciCoordinatorForFile } from '../../support/ci-coordinator.js'
import { addPerson } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

interface Rule {
  deploy_access_levels: { id: number }[]
  approval_rules: { id: number }[]
}

async function openScene(open?: OpenDatabase) {
  const coordinator = await openCoordinator(open)
  const { database, project, admin, app } = coordinator
  const add = async (name: string, access_level: number, on: object) => {
    const person = await addPerson(database, name)
    const membership = { ...on, user_id: person.id, access_level, created_at: 0 }
    await database.insertInto('member').values(membership).execute()
    return person
  }
  const maintainer = await add('max', 40, { project_id: project.id })
  const developer = await add('dora', 30, { project_id: project.id })
  const stranger = await addPerson(database, 'sam')
  const call = (route: string, body?: object) => {
    const [method = '', path = ''] = route.split(' ')
    return app.call(maintainer, `${method} /projects/${project.id}/protected_environments${path}`, body)
  }
  return { coordinator, database, project, admin, app, maintainer, developer, stranger, call }
}

const MAINTAINERS = { access_level: 40 }

describeOnDatabase('protected environments', (open) => {
  test('are created, listed, found, changed entry by entry and removed', async () => {
    const { call, developer, project } = await openScene(open)
    const created = await call('POST ', {
      name: 'review/one',
      deploy_access_levels: [MAINTAINERS, { user_id: developer.id }],
      approval_rules: [{ group_id: project.namespace_id, required_approvals: 2, group_inheritance_type: 1 }],
    })
    expect(created.statusCode).toBe(201)
    const id = expect.any(Number) as number
    const role = { access_level: 40, access_level_description: 'Maintainers', user_id: null, group_id: null }
    const user = {
      access_level: null,
      access_level_description: 'dora',
      user_id: developer.id,
      group_id: null,
    }
    const rule = { ...role, access_level: null, access_level_description: 'group' }
    const record = {
      name: 'review/one',
      deploy_access_levels: [
        { id, ...role, group_inheritance_type: 0 },
        { id, ...user, group_inheritance_type: 0 },
      ],
      required_approval_count: 0,
      approval_rules: [
        { id, ...rule, group_id: project.namespace_id, group_inheritance_type: 1, required_approvals: 2 },
      ],
    }
    expect(created.json()).toEqual(record)
    expect((await call('GET ')).json()).toEqual([record])
    expect((await call('GET ?search=VIEW')).json()).toEqual([record])
    expect((await call('GET ?search=prod')).json()).toEqual([])
    const path = '/review%2Fone'
    expect((await call(`GET ${path}`)).json()).toEqual(record)

    const { deploy_access_levels, approval_rules } = created.json<Rule>()
    const changed = await call(`PUT ${path}`, {
      deploy_access_levels: [
        { id: deploy_access_levels[0]?.id, access_level: 30 },
        { id: deploy_access_levels[1]?.id, _destroy: true },
        { access_level: 60 },
      ],
      approval_rules: [{ id: approval_rules[0]?.id, required_approvals: 3 }],
      required_approval_count: 1,
    })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toMatchObject({
      deploy_access_levels: [{ access_level: 30 }, { access_level: 60 }],
      approval_rules: [{ group_id: project.namespace_id, required_approvals: 3 }],
      required_approval_count: 1,
    })
    expect((await call(`DELETE ${path}`)).statusCode).toBe(204)
    expect((await call(`GET ${path}`)).statusCode).toBe(404)
  })
})

test('invalid protection rules are refused and change nothing', async () => {
  const { call, stranger } = await openScene()
  const create = (...deploy_access_levels: object[]) =>
    call('POST ', { name: 'production', deploy_access_levels })
  const wrong: [entries: object[], message: string][] = [
    [[], 'deploy_access_levels needs at least one entry'],
    [[{}], 'Each entry needs exactly one of access_level, user_id and group_id'],
    [
      [{ access_level: 40, user_id: 1 }],
      'Each entry needs exactly one of access_level, user_id and group_id',
    ],
    [[{ access_level: 20 }], 'Access level is not included in the list: 30, 40, 60'],
    [[{ user_id: stranger.id }], `User ${stranger.id} is not a developer of the project`],
    [[MAINTAINERS, { group_id: 999 }], 'Group 999 is neither above the project nor shared with it'],
  ]
  for (const [entries, message] of wrong) {
    const served = await create(...entries)
    expect([served.statusCode, served.json()]).toEqual([422, { message: [message] }])
  }
  expect((await call('GET ')).json()).toEqual([])
  const created = (await create(MAINTAINERS)).json<Rule>()
  expect((await create(MAINTAINERS)).statusCode).toBe(409)
  const last = { deploy_access_levels: [{ id: created.deploy_access_levels[0]?.id, _destroy: true }] }
  expect((await call('PUT /production', last)).statusCode).toBe(422)
  const unknown = { deploy_access_levels: [{ id: 999, access_level: 30 }] }
  expect((await call('PUT /production', unknown)).statusCode).toBe(422)
  expect((await call('GET /production')).json()).toMatchObject({ deploy_access_levels: [MAINTAINERS] })
})

test('a group protects tiers, for its own members and groups', async () => {
  const { app, admin, project, stranger, developer, maintainer } = await openScene()
  const path = `/groups/${project.namespace_id}/protected_environments`
  const create = (body: object) => app.call(admin, `POST ${path}`, body)
  const group_id = project.namespace_id
  expect((await create({ name: 'live', deploy_access_levels: [MAINTAINERS] })).statusCode).toBe(400)
  const outside = { name: 'production', deploy_access_levels: [{ user_id: stranger.id }] }
  expect((await create(outside)).statusCode).toBe(422)
  const created = await create({ name: 'production', deploy_access_levels: [{ group_id }] })
  expect(created.json()).toMatchObject({ name: 'production', deploy_access_levels: [{ group_id }] })
  expect((await app.call(admin, `GET ${path}`)).json()).toMatchObject([{ name: 'production' }])

  const environments = `/projects/${project.id}/environments`
  const { id } = (await app.call(admin, `POST ${environments}`, { name: 'production' })).json<{
    id: number
  }>()
  await app.call(admin, `POST ${environments}`, { name: 'staging' })
  const list = await app.call(developer, `GET ${environments}?with_details=true`)
  expect(list.json()).toMatchObject([
    { name: 'production', protected: true, can_deploy: false },
    { name: 'staging', protected: false, can_deploy: true },
  ])
  const access_level = 40
  await app.call(admin, `PUT ${path}/production`, { deploy_access_levels: [{ access_level }] })
  const shown = await app.call(maintainer, `GET ${environments}/${id}?with_details=true`)
  expect(shown.json()).toMatchObject({ protected: true, can_deploy: true })
  expect((await app.call(maintainer, `GET ${environments}/${id}`)).json()).not.toHaveProperty('protected')
})

test('a deleted user leaves an entry that matches no user', async () => {
  const { call, database, developer } = await openScene()
  const rule = { name: 'production', deploy_access_levels: [{ user_id: developer.id }] }
  await call('POST ', { ...rule, approval_rules: [{ user_id: developer.id }] })
  await database.deleteFrom('namespace').where('owner_id', '=', developer.id).execute()
  await database.deleteFrom('user').where('id', '=', developer.id).execute()
  const gone = { access_level: null, user_id: null, access_level_description: 'Deleted user or group' }
  expect((await call('GET /production')).json()).toMatchObject({
    deploy_access_levels: [gone],
    approval_rules: [{ ...gone, required_approvals: 1 }],
  })
})

test('an archive has the roles of the rules, and administrators where only users or groups are named', async () => {
  const { call, database, developer, project, admin } = await openScene()
  await call('POST ', {
    name: 'production',
    deploy_access_levels: [MAINTAINERS, { user_id: developer.id }],
    approval_rules: [{ user_id: developer.id, required_approvals: 2 }],
    required_approval_count: 1,
  })
  await call('POST ', { name: 'staging', deploy_access_levels: [{ user_id: developer.id }] })
  const part = protectedEnvironmentPart(database)
  const records: object[] = []
  for await (const record of part.read(project)) records.push(record)
  const production = {
    name: 'production',
    deploy_access_levels: [40],
    required_approval_count: 1,
    approval_rules: [{ access_level: 60, required_approvals: 2 }],
  }
  const staging = {
    name: 'staging',
    deploy_access_levels: [60],
    approval_rules: [],
    required_approval_count: 0,
  }
  expect(records).toEqual([production, staging])
  await database.deleteFrom('protected_environment').execute()
  for (const record of records) await part.write({ project, importer: admin }, record)
  expect((await call('GET ')).json()).toMatchObject([
    { name: 'production', deploy_access_levels: [MAINTAINERS], approval_rules: [{ required_approvals: 2 }] },
    { name: 'staging', deploy_access_levels: [{ access_level: 60 }] },
  ])
})

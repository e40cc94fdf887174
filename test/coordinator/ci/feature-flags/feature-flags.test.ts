import { expect, test } from 'vitest'

import { openForFile } from '../../../support/lifetime.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'

const shared = openForFile(() => startCiCoordinator())

interface Flag {
  name: string
  strategies: { id: number; scopes: { id: number; environment_scope: string }[] }[]
}

function openScene() {
  const { app, project, admin } = shared()
  return {
    app,
    project,
    /** Calls the API below the project. */
    call: async <T>(route: string, body?: object): Promise<[number, T]> => {
      const response = await app.call(admin, route.replace(' ', ` /projects/${project.id}`), body)
      return [response.statusCode, (response.body === '' ? '' : response.json()) as T]
    },
  }
}

const ON_STAGING = { name: 'default', parameters: {}, scopes: [{ environment_scope: 'staging' }] }

test('a feature flag is created, listed, changed with its strategies, and deleted', async () => {
  const { call } = openScene()
  const time = expect.stringMatching(/Z$/) as string
  const id = expect.any(Number) as number
  const record = {
    name: 'new_menu',
    description: null,
    active: true,
    version: 'new_version_flag',
    created_at: time,
    updated_at: time,
    scopes: [],
    strategies: [
      {
        id,
        name: 'default',
        parameters: {},
        scopes: [{ id: 1, environment_scope: 'staging' }],
        user_list: null,
      },
    ],
  }
  const wanted = { name: 'new_menu', version: 'new_version_flag', strategies: [ON_STAGING] }
  const made = await call<Flag>('POST /feature_flags', wanted)
  expect(made).toEqual([201, record])
  expect(await call('POST /feature_flags', wanted)).toEqual([
    400,
    { message: ['Name has already been taken'] },
  ])
  expect(await call('GET /feature_flags')).toEqual([200, [made[1]]])
  expect(await call('GET /feature_flags?scope=disabled')).toEqual([200, []])

  const [strategy] = made[1].strategies
  const scope = { id: strategy?.scopes[0]?.id, _destroy: true }
  const rollout = { name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: 25 } }
  const [, changed] = await call<Flag>('PUT /feature_flags/new_menu', {
    name: 'menu',
    active: false,
    strategies: [{ id: strategy?.id, scopes: [scope, { environment_scope: 'review/*' }] }, rollout],
  })
  expect(changed).toMatchObject({
    name: 'menu',
    active: false,
    strategies: [
      { name: 'default', scopes: [{ environment_scope: 'review/*' }] },
      { name: 'gradualRolloutUserId', parameters: { groupId: 'default', percentage: '25' }, scopes: [] },
    ],
  })
  expect(await call('GET /feature_flags/new_menu')).toMatchObject([404, {}])
  const gone = { strategies: [{ id: changed.strategies[0]?.id, _destroy: true }] }
  expect(await call<Flag>('PUT /feature_flags/menu', gone)).toMatchObject([
    200,
    { strategies: [{ name: 'gradualRolloutUserId' }] },
  ])
  expect(await call('DELETE /feature_flags/menu')).toMatchObject([200, { name: 'menu' }])
  expect(await call('GET /feature_flags')).toEqual([200, []])
})

test.each([
  [{ name: 'userWithId', parameters: {} }, 'Strategies parameters are invalid'],
  [{ name: 'default', parameters: { userIds: 'a' } }, 'Strategies parameters are invalid'],
  [
    { name: 'flexibleRollout', parameters: { groupId: 'a', rollout: '101', stickiness: 'random' } },
    'Strategies parameters are invalid',
  ],
  [{ name: 'gitlabUserList', parameters: {} }, "Strategies user list can't be blank"],
  [{ parameters: {} }, 'Strategies name is invalid'],
])('a flag with the strategy %j is refused, and not stored', async (strategy, message) => {
  const { call } = openScene()
  const refused = await call('POST /feature_flags', { name: 'other', strategies: [strategy] })
  expect(refused).toEqual([400, { message: [message] }])
  expect(await call('GET /feature_flags/other')).toMatchObject([404, {}])
})

test('a feature flag does not grow without end, whatever is added to it', async () => {
  const { call } = openScene()
  const strategy = { name: 'default', parameters: {} }
  const many = (count: number) => Array.from({ length: count }, () => strategy)
  await call('POST /feature_flags', { name: 'grows', strategies: many(60) })
  const [, full] = await call<Flag>('PUT /feature_flags/grows', { strategies: many(40) })
  expect(full.strategies).toHaveLength(100)
  const refused = [400, { message: ['Strategies are too many (maximum is 100)'] }]
  expect(await call('PUT /feature_flags/grows', { strategies: [strategy] })).toEqual(refused)
  const replaced = [{ id: full.strategies[0]?.id, _destroy: true }, strategy]
  expect((await call('PUT /feature_flags/grows', { strategies: replaced }))[0]).toBe(200)
  expect((await call('DELETE /feature_flags/grows'))[0]).toBe(200)
})

test('an application reads the flags of its environment with the token of the project', async () => {
  const { app, project, call } = openScene()
  const [, list] = await call<{ id: number; iid: number }>('POST /feature_flags_user_lists', {
    name: 'Testers',
    user_xids: 'ann,bob',
  })
  expect(list).toMatchObject({ iid: 1, name: 'Testers', user_xids: 'ann,bob', project_id: project.id })
  const scopes = [{ environment_scope: 'production' }, { environment_scope: 'review/*' }]
  const ofList = { name: 'gitlabUserList', parameters: {}, user_list_id: list.id, scopes }
  const everywhere = { name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] }
  await call('POST /feature_flags', { name: 'beta', strategies: [ofList, ON_STAGING], active: false })
  await call('POST /feature_flags', { name: 'menu', description: 'New menu', strategies: [everywhere] })
  const [, client] = await call<{ api_url: string; instance_id: string }>('GET /feature_flags_client')
  expect(client.api_url).toMatch(new RegExp(`/api/v4/feature_flags/unleash/${project.id}$`))

  const base = `/feature_flags/unleash/${project.id}`
  const read = async (path: string, query: object = {}) => {
    const response = await app.call(
      undefined,
      `GET ${base}${path}?${new URLSearchParams({ ...query }).toString()}`,
    )
    return [response.statusCode, response.json()] as unknown
  }
  const token = { instance_id: client.instance_id }
  const menu = {
    name: 'menu',
    description: 'New menu',
    enabled: true,
    strategies: [{ name: 'default', parameters: {} }],
  }
  const forTesters = { name: 'userWithId', parameters: { userIds: 'ann,bob' } }
  const beta = { name: 'beta', enabled: false, strategies: [forTesters] }
  for (const path of ['/client/features', '/features'])
    expect(await read(path, { ...token, app_name: 'review/x' })).toEqual([
      200,
      { version: 1, features: [beta, menu] },
    ])
  expect(await read('/client/features', { ...token, app_name: 'canary' })).toEqual([
    200,
    { version: 1, features: [menu] },
  ])
  const headers = { 'unleash-instanceid': client.instance_id, 'unleash-appname': 'production' }
  const url = `/api/v4${base}/client`
  const byHeaders = await app.app.inject({ method: 'GET', url: `${url}/features`, headers })
  expect(byHeaders.json()).toMatchObject({ features: [{ name: 'beta' }, { name: 'menu' }] })
  const register = { appName: 'production', instanceId: 'host-1', strategies: ['default'], interval: 1000 }
  for (const path of ['register', 'metrics']) {
    const response = await app.app.inject({
      method: 'POST',
      url: `${url}/${path}`,
      headers,
      payload: register,
    })
    expect([path, response.statusCode]).toEqual([path, 200])
  }

  for (const wrong of [{}, { instance_id: 'guess' }])
    expect(await read('/client/features', wrong)).toMatchObject([401, {}])
  const other = await app.call(
    undefined,
    `GET /feature_flags/unleash/0/client/features?instance_id=${client.instance_id}`,
  )
  expect(other.statusCode).toBe(401)

  const one = `/feature_flags_user_lists/${list.iid}`
  expect(await call(`DELETE ${one}`)).toEqual([409, { message: 'User list is associated with a strategy' }])
  expect(await call(`PUT ${one}`, { user_xids: 'eve' })).toMatchObject([200, { user_xids: 'eve' }])
  expect(await call('GET /feature_flags_user_lists?search=test')).toMatchObject([200, [{ name: 'Testers' }]])
  expect(await call('GET /feature_flags_user_lists?search=none')).toEqual([200, []])
  await call('DELETE /feature_flags/beta')
  expect(await call(`DELETE ${one}`)).toEqual([204, ''])
  expect(await call(`GET ${one}`)).toEqual([404, { message: '404 User List Not Found' }])
})

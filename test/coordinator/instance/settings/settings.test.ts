import { readFile } from 'node:fs/promises'

import { expect, test, vi } from 'vitest'

import { EFFECTIVE_DEFAULTS } from '../../../../src/coordinator/database/tables/application-settings.js'
import { ATTRIBUTES } from '../../../../src/coordinator/instance/settings/catalog.js'
import { settingOperations } from '../../../../src/coordinator/instance/settings/operations.js'
import { readCoordinatorSettings } from '../../../../src/coordinator/start/config/settings.js'
import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listCiOperations } from '../../../../src/coordinator/start/operations/ci.js'
import { listHostingOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { listPlanningOperations } from '../../../../src/coordinator/start/operations/planning.js'
import { settingDeps } from '../../../../src/coordinator/start/setting-deps.js'
import {
  describeOnDatabase,
  type OpenDatabase,
  openPostgres,
  openSqlite,
} from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { openBrowser } from '../../support/browser.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openTestApp, openTestServices, type TestServicesOptions } from '../../support/test-coordinator.js'

type Body = Record<string, unknown>

const S = '/application/settings'
/** A busy machine is slow to connect to the database. */
const PATIENT = { timeout: 30_000, interval: 20 }

const shared = sceneForFile(openOwnScene)

/** One scene for the tests of this file; those that count calls, or configure the coordinator, open their own. */
async function openScene(open?: OpenDatabase) {
  const scene = await shared(open)
  await scene.services.instanceSettings.load()
  return scene
}

async function openOwnScene(open: OpenDatabase = openSqlite, settings: TestServicesOptions['settings'] = {}) {
  const services = await openTestServices({ open, settings })
  const app = openTestApp(services, {
    operations: (all, deps) => [
      ...settingOperations(settingDeps(all)),
      ...listAccountsOperations(all, deps),
      ...listHostingOperations(all, deps),
      ...listCiOperations(all, deps),
      ...listPlanningOperations(all, deps),
    ],
  })
  const root = await addPerson(services.database, 'root', { admin: true })
  const ada = await addPerson(services.database, 'ada')
  /** As `ada` unless `as` is given. */
  const call = async (route: string, body?: object, as: Person = ada): Promise<[number, Body]> => {
    const response = await app.call(as, route, body)
    return [response.statusCode, response.body === '' ? {} : response.json()]
  }
  const ok = async (route: string, body?: object, as?: Person): Promise<Body> => {
    const [status, result] = await call(route, body, as)
    if (status >= 300) throw new Error(`${route}: ${status} ${JSON.stringify(result)}`)
    return result
  }
  return { app, services, root, ada, call, ok, set: (settings: object) => ok(`PUT ${S}`, settings, root) }
}

describeOnDatabase('settings of the instance', (open) => {
  test('are kept under each of their names, and have their defaults before', async () => {
    const { ok, set, root } = await openScene(open)
    const before = await ok(`GET ${S}`, undefined, root)
    expect(before).toMatchObject({
      ...EFFECTIVE_DEFAULTS,
      id: 1,
      signin_enabled: true,
      polling_interval_multiplier: '1.0',
      throttle_unauthenticated_requests_per_period: 3600,
      terms: null,
    })
    const changes = {
      domain_whitelist: ['example.com'],
      sign_in_text: 'Welcome',
      polling_interval_multiplier: 1.5,
      plantuml_enabled: true,
      plantuml_url: 'https://diagrams.example.com',
      repository_storages: ['default'],
      import_sources: ['git'],
    }
    const changed = {
      ...changes,
      domain_allowlist: ['example.com'],
      polling_interval_multiplier: '1.5',
    }
    expect(await set(changes)).toMatchObject(changed)
    expect(await ok(`GET ${S}`, undefined, root)).toMatchObject(changed)
    expect(await set({ sign_in_text: null })).toMatchObject({ ...changed, sign_in_text: null })
  })

  testAtNight('that come back as they were have not changed', async () => {
    const { services, ok, set, root } = await openScene(open)
    await set({ terms: 'Be kind.', sign_in_text: 'Welcome' })
    await services.database.updateTable('application_setting').set({ updated_at: 5 }).execute()
    await set({ ...(await ok(`GET ${S}`, undefined, root)), sign_in_text: 'Hello' })
    const rows = await services.database.selectFrom('application_setting').selectAll().execute()
    const changed = rows.filter(({ updated_at }) => updated_at !== 5).map(({ name }) => name)
    expect(changed).toContain('sign_in_text')
    expect(changed).not.toContain('terms')
  })
})

test('a switch requires what it needs, and a wrong value is refused with its name', async () => {
  const { call, set, root } = await openScene()
  const refused = (settings: object) => call(`PUT ${S}`, settings, root)
  expect(await refused({ akismet_enabled: true })).toEqual([400, { error: 'akismet_api_key is missing' }])
  expect(await refused({ enforce_terms: true, terms: '' })).toEqual([400, { error: 'terms is missing' }])
  await set({ terms: 'Be kind.' })
  await set({ enforce_terms: true, akismet_enabled: false, throttle_authenticated_api_enabled: true })
  expect(await refused({ max_attachment_size: 'big' })).toEqual([
    400,
    { error: 'max_attachment_size is invalid' },
  ])
  expect(await refused({ default_project_visibility: 'secret' })).toMatchObject([
    400,
    { error: 'default_project_visibility does not have a valid value' },
  ])
  expect(await refused({ archive_builds_in_human_readable: '5 hours' })).toEqual([
    400,
    { message: { archive_builds_in_human_readable: ['must be at least one day'] } },
  ])
  await set({ archive_builds_in_human_readable: '' })
  expect(await refused({ external_authorization_service_timeout: 11 })).toMatchObject([400, {}])
  expect(await refused({ first_day_of_week: 3 })).toEqual([
    400,
    { message: { first_day_of_week: ['is not included in the list'] } },
  ])
})

test('the audit trail has what a change has changed, but no secret', async () => {
  const { ok, set, root } = await openScene()
  await set({ sign_in_text: 'Welcome', akismet_api_key: 'very-secret' })
  const events = await ok('GET /audit_events', undefined, root)
  expect(events).toMatchObject([
    { details: { target_type: 'ApplicationSetting', change: 'sign_in_text', from: null, to: 'Welcome' } },
  ])
  expect(JSON.stringify(events)).not.toContain('very-secret')
})

test('a secret is stored encrypted and never shown, and its placeholder changes nothing', async () => {
  const { services, set, ok, root } = await openScene()
  const changed = await set({ akismet_enabled: true, akismet_api_key: 'very-secret' })
  expect(changed).toMatchObject({ akismet_enabled: true, akismet_api_key: '[HIDDEN]' })
  await set({ ...(await ok(`GET ${S}`, undefined, root)), sign_in_text: 'Hello' })
  const stored = await services.database
    .selectFrom('application_setting')
    .selectAll()
    .where('name', '=', 'akismet_api_key')
    .executeTakeFirstOrThrow()
  expect(stored.value).toBeNull()
  expect(stored.value_encrypted).not.toContain('very-secret')
  expect(services.secrets.decrypt(stored.value_encrypted ?? '')).toBe('very-secret')
})

test('new projects have what the settings say, and restricted visibilities are for administrators', async () => {
  const { ok, call, set, root } = await openScene()
  await set({
    default_project_visibility: 'internal',
    default_branch_name: 'trunk',
    default_ci_config_path: 'ci/main.yml',
    shared_runners_enabled: false,
    restricted_visibility_levels: ['public'],
  })
  const project = await ok('POST /projects', { name: 'app', initialize_with_readme: true })
  expect(project).toMatchObject({
    visibility: 'internal',
    default_branch: 'trunk',
    ci_config_path: 'ci/main.yml',
    shared_runners_enabled: false,
  })
  const restricted = {
    message: { visibility_level: ['public has been restricted by your administrator'] },
  }
  expect(await call('POST /projects', { name: 'open', visibility: 'public' })).toEqual([400, restricted])
  expect(await call(`PUT /projects/${String(project['id'])}`, { visibility: 'public' })).toEqual([
    400,
    restricted,
  ])
  const open = await ok('POST /projects', { name: 'open', visibility: 'public' }, root)
  expect(await call(`POST /projects/${String(open['id'])}/fork`, { visibility: 'public' })).toEqual([
    400,
    restricted,
  ])
  expect(await ok(`POST /projects/${String(open['id'])}/fork`)).toMatchObject({ visibility: 'internal' })
  expect((await call('POST /groups', { name: 'g', path: 'g', visibility: 'public' }))[0]).toBe(400)
  expect((await call('POST /groups', { name: 'g', path: 'g', visibility: 'public' }, root))[0]).toBe(201)
})

testAtNight('new groups have what the settings say', async () => {
  const { ok, set } = await openScene()
  await set({ default_group_visibility: 'internal', default_project_creation: 0 })
  const group = await ok('POST /groups', { name: 'g', path: 'g' })
  expect(group).toMatchObject({ visibility: 'internal', project_creation_level: 'noone' })
  await set({ default_group_visibility: 'public' })
  const inside = await ok('POST /groups', { name: 'h', path: 'h', parent_id: group['id'] })
  expect(inside).toMatchObject({ visibility: 'internal' })
})

testAtNight('default branches of new projects are protected as their group or the settings say', async () => {
  const { ok, call, set } = await openScene()
  let made = 0
  const rule = async (namespace_id?: unknown) => {
    made += 1
    const project = { name: `app${made}`, initialize_with_readme: true, namespace_id }
    const { id } = await ok('POST /projects', project)
    const [status, found] = await call(`GET /projects/${String(id)}/protected_branches/main`)
    if (status === 404) return 'none'
    const levels = found as unknown as Record<string, { access_level: number }[]>
    return [levels['push_access_levels'], levels['merge_access_levels']].map((all) => all?.[0]?.access_level)
  }
  expect(await rule()).toEqual([40, 40])
  const before = await ok('POST /groups', { name: 'g', path: 'g' })
  await set({ default_branch_protection: 1 })
  expect(await rule()).toEqual([30, 40])
  expect(await rule(before['id'])).toEqual([40, 40])
  const group = await ok('POST /groups', { name: 'h', path: 'h' })
  expect(group).toMatchObject({ default_branch_protection: 1 })
  expect(await rule(group['id'])).toEqual([30, 40])
  await ok(`PUT /groups/${String(group['id'])}`, { default_branch_protection: 3 })
  expect(await rule(group['id'])).toEqual([40, 30])
  await set({ default_branch_protection: 0 })
  expect(await rule()).toBe('none')
})

test('new users have what the settings say, and addresses of other domains are refused', async () => {
  const { ok, call, set, root } = await openScene()
  await set({ default_projects_limit: 3, user_default_external: true })
  const user = (name: string, email: string) => ({
    username: name,
    name,
    email,
    password: 'long enough text',
  })
  expect(await ok('POST /users', user('bea', 'bea@example.com'), root)).toMatchObject({
    projects_limit: 3,
    external: true,
  })
  await set({
    domain_allowlist: ['*.example.com'],
    domain_denylist_enabled: true,
    domain_denylist: ['bad.*'],
  })
  const refused = [400, { message: { email: ['is not from an allowed domain.'] } }]
  expect(await call('POST /users', user('cem', 'cem@example.org'), root)).toEqual(refused)
  expect(await call('POST /users', user('cem', 'cem@bad.example.com'), root)).toEqual(refused)
  expect((await call('POST /users', user('cem', 'cem@team.example.com'), root))[0]).toBe(201)
})

testAtNight('keys of users must be of the kinds and sizes that are allowed', async () => {
  const { call, set } = await openScene()
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGmqfoJ2B3cXhuTiBFDkdnYNFyrsbxg2pHmEvJKfKe2K ada'
  await set({ ed25519_key_restriction: -1 })
  expect(await call('POST /user/keys', { title: 'k', key })).toEqual([
    400,
    { message: { key: ['type is forbidden. Must be RSA, DSA, ECDSA'] } },
  ])
  await set({ ed25519_key_restriction: 512 })
  expect(await call('POST /user/keys', { title: 'k', key })).toEqual([
    400,
    { message: { key: ['ED25519 key must be at least 512 bits'] } },
  ])
  await set({ ed25519_key_restriction: 256 })
  expect((await call('POST /user/keys', { title: 'k', key }))[0]).toBe(201)
})

test('exports, imports, uploads, variables and registration tokens follow the settings', async () => {
  const { call, ok, set, root } = await openScene()
  const { id } = await ok('POST /projects', { name: 'app' })
  const P = `/projects/${String(id)}`
  await set({
    project_export_enabled: false,
    import_sources: ['gitlab_project'],
    protected_ci_variables: true,
  })
  expect(await call(`POST ${P}/export`)).toEqual([
    403,
    { message: '403 Forbidden - Project export is disabled' },
  ])
  expect(await call('POST /projects', { name: 'copy', import_url: 'https://example.com/a.git' })).toEqual([
    403,
    { message: '403 Forbidden - The import source git is disabled' },
  ])
  expect(await ok(`POST ${P}/variables`, { key: 'A', value: 'x' })).toMatchObject({ protected: true })
  expect(await ok(`POST ${P}/variables`, { key: 'B', value: 'x', protected: false })).toMatchObject({
    protected: false,
  })
  const { token } = await ok('POST /runners/reset_registration_token', {}, root)
  expect((await call('POST /runners', { token }))[0]).toBe(201)
  await set({ allow_runner_registration_token: false })
  expect((await call('POST /runners', { token }))[0]).toBe(403)
})

test('the documents list the settings that take effect, and those that are only kept', async () => {
  const text = await readFile(new URL('../../../../docs/settings.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split('### Settings that take effect')
  const [effective = '', kept = ''] =
    section.split('## Development')[0]?.split('### Settings that are only kept') ?? []
  const namesIn = (part: string) => [...part.matchAll(/^[|-] `(\w+)`/gm)].map(([, name]) => name).toSorted()
  const inEffect = Object.keys(EFFECTIVE_DEFAULTS)
  expect(namesIn(effective)).toEqual(inEffect.toSorted())
  const others = Object.keys(ATTRIBUTES).filter((name) => !inEffect.includes(name))
  expect(namesIn(kept)).toEqual(others.toSorted())
  expect(inEffect.filter((name) => !(name in ATTRIBUTES))).toEqual([])
})

test('a setting that the configuration gives is shown, and refused with its name there', async () => {
  const {
    dataDir: _,
    sharedDir: _shared,
    database: _store,
    ...settings
  } = readCoordinatorSettings(
    { data_dir: '/data' },
    { SWITCHYARD_ARTIFACTS_MAX_BYTES: '5242880', SWITCHYARD_DELETION_ADJOURNED_PERIOD: '7' },
  )
  const { call, ok, set, root, services } = await openOwnScene(openSqlite, settings)
  const before = await ok(`GET ${S}`, undefined, root)
  expect(before).toMatchObject({ max_artifacts_size: 5, deletion_adjourned_period: 7 })
  expect(await call(`PUT ${S}`, { max_artifacts_size: 6 }, root)).toEqual([
    400,
    {
      message: {
        max_artifacts_size: ['is set by artifacts.max_bytes in the configuration of the coordinator'],
      },
    },
  ])
  expect(await ok(`GET ${S}/fixed`, undefined, root)).toEqual(
    expect.arrayContaining([{ name: 'max_artifacts_size', key: 'artifacts.max_bytes' }]),
  )
  // Clients send all that they have read.
  await set({ ...before, default_artifacts_expire_in: '2 days' })
  expect(await services.instanceSettings.artifactsMaxBytes()).toBe(5_242_880)
  expect(await services.instanceSettings.artifactsExpireSeconds()).toBe(172_800)
})

testAtNight('deleted projects are kept as long as the setting says at that time', async () => {
  const { ok, set } = await openScene()
  const { id } = await ok('POST /projects', { name: 'app' })
  await set({ deletion_adjourned_period: 3 })
  await ok(`DELETE /projects/${String(id)}`)
  const kept = await ok(`GET /projects/${String(id)}`)
  expect(kept['marked_for_deletion_on']).not.toBeNull()
  await set({ deletion_adjourned_period: 0 })
  await ok(`DELETE /projects/${String(id)}`)
})

testAtNight('the limits of requests are those of the settings at that time', async () => {
  const { app, ada, call, set, root } = await openOwnScene()
  const statuses = async (route: string, times: number, as?: Person) => {
    const results: number[] = []
    for (let time = 0; time < times; time += 1) results.push((await call(route, undefined, as))[0])
    return results
  }
  await set({ search_rate_limit: 1, users_get_by_id_limit: 2 })
  expect(await statuses('GET /search?scope=projects&search=app', 2)).toEqual([200, 429])
  expect(await statuses(`GET /users/${root.id}`, 3)).toEqual([200, 200, 429])
  await set({ search_rate_limit: 0 })
  expect(await statuses('GET /search?scope=projects&search=app', 2)).toEqual([200, 200])
  const throttle = { throttle_authenticated_api_requests_per_period: 2 }
  await set({
    throttle_authenticated_api_enabled: true,
    throttle_authenticated_api_period_in_seconds: 86_400,
    ...throttle,
  })
  const results = [1, 2, 3].map(() => app.call(ada, 'GET /user'))
  expect((await Promise.all(results)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
})

testAtNight(
  'requests for pages have limits of their own, per address and per user who is signed in',
  async () => {
    const { app, services, ada, root, ok, set } = await openOwnScene()
    const other = await openBrowser(services.database, root)
    const browser = await openBrowser(services.database, ada)
    const statuses = async (urls: string[], headers: Record<string, string> = {}) => {
      const results = []
      for (const url of urls) results.push((await app.app.inject({ url, headers })).statusCode)
      return results
    }
    const page = '/oauth/authorize'
    const [first = 0] = await statuses([page])
    const day = 86_400
    await set({
      throttle_authenticated_web_enabled: true,
      throttle_authenticated_web_period_in_seconds: day,
      throttle_authenticated_web_requests_per_period: 1,
      throttle_unauthenticated_web_enabled: true,
      throttle_unauthenticated_web_period_in_seconds: day,
      throttle_unauthenticated_web_requests_per_period: 2,
    })
    expect(await statuses([page, '/ada/app', page])).toEqual([first, 404, 429])
    const refused = await app.app.inject({ url: page })
    expect([refused.body, refused.headers['ratelimit-name']]).toEqual([
      'Retry later\n',
      'throttle_unauthenticated_web',
    ])
    const freeOfLimits = ['/-/health', '/api/openapi.json', '/ada/app.git/info/refs?service=git-upload-pack']
    expect(await statuses(freeOfLimits)).not.toContain(429)
    expect((await statuses([page, page], browser.headers))[1]).toBe(429)
    expect((await statuses([page], other.headers))[0]).not.toBe(429)
    await ok('GET /user')
    await set({ throttle_authenticated_web_enabled: false, throttle_unauthenticated_web_enabled: false })
    expect(await statuses([page])).toEqual([first])
    await set({ throttle_unauthenticated_enabled: true, throttle_unauthenticated_requests_per_period: 1 })
    expect(await statuses([page, page])).toContain(429)
  },
)

test('requests of users reach the local hosts that the settings list, at once', async () => {
  const { call, set } = await openScene()
  const imported = (name: string, host: string) =>
    call('POST /projects', { name, import_url: `http://${host}/a.git` })
  const refused = (reason: string) => [400, { message: { import_url: [reason] } }]
  const isLocal = 'is blocked: Requests to the local network are not allowed'
  expect(await imported('a', '10.1.2.3')).toMatchObject(refused(isLocal))
  await set({ outbound_local_requests_whitelist: ['10.0.0.0/8', 'localhost'] })
  expect((await imported('b', '10.1.2.3'))[0]).toBe(201)
  expect((await imported('c', 'localhost:1'))[0]).toBe(201)
  expect(await imported('d', '192.168.1.1')).toMatchObject(refused(isLocal))
  await set({ outbound_local_requests_allowlist: [], allow_local_requests_from_hooks_and_services: true })
  expect((await imported('e', '192.168.1.1'))[0]).toBe(201)
})

test('a network of the settings must be one', async () => {
  const { call, root } = await openScene()
  const result = await call(`PUT ${S}`, { outbound_local_requests_allowlist: ['10.0.0.0/99'] }, root)
  expect(result).toEqual([
    400,
    { message: { outbound_local_requests_allowlist: ['must be host names, addresses and networks'] } },
  ])
})

testAtNight('users call from as many addresses as the settings allow', async () => {
  const { app, ada, set } = await openOwnScene()
  const from = async (remoteAddress: string) =>
    (await app.app.inject({ url: '/api/v4/user', headers: { 'private-token': ada.token }, remoteAddress }))
      .statusCode
  await set({
    unique_ips_limit_enabled: true,
    unique_ips_limit_per_user: 2,
    unique_ips_limit_time_window: 3600,
  })
  expect([await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.3')]).toEqual([200, 200, 403])
  expect(await from('192.0.2.1')).toBe(200)
  await set({ unique_ips_limit_enabled: false })
  expect(await from('192.0.2.3')).toBe(200)
})

testAtNight('new users are internal if their address matches, and may create groups or not', async () => {
  const { ok, set, root } = await openScene()
  await set({
    user_default_external: true,
    user_default_internal_regex: '@team\\.example$',
    can_create_group: false,
  })
  const user = (username: string, email: string) =>
    ok('POST /users', { username, name: username, email, password: 'long enough text' }, root)
  expect(await user('bea', 'bea@team.example')).toMatchObject({ external: false, can_create_group: false })
  expect(await user('cem', 'cem@example.com')).toMatchObject({ external: true })
})

test('tokens have the prefix and runners the lifetime of the settings, and are accepted', async () => {
  const { call, ok, set, root } = await openScene()
  await set({ personal_access_token_prefix: 'acme-', runner_token_expiration_interval: 3600 })
  const { token } = await ok(
    `POST /users/${root.id}/personal_access_tokens`,
    { name: 'a', scopes: ['read_user'] },
    root,
  )
  expect(token).toMatch(/^acme-/)
  expect((await call('GET /user', undefined, { ...root, token: String(token) }))[0]).toBe(200)
  const runner = await ok('POST /user/runners', { runner_type: 'instance_type' }, root)
  const left = Date.parse(String(runner['token_expires_at'])) - Date.now()
  expect(Math.abs(left - 3_600_000)).toBeLessThan(60_000)
  expect(await call(`PUT ${S}`, { personal_access_token_prefix: 'a b' }, root)).toMatchObject([400, {}])
})

test('registration tokens of projects and groups register runners only if the settings say so', async () => {
  const { call, ok, set, root } = await openScene()
  const { id } = await ok('POST /projects', { name: 'app' })
  const { token } = await ok(`POST /projects/${String(id)}/runners/reset_registration_token`, {}, root)
  await set({ valid_runner_registrars: ['group'] })
  expect(await call('POST /runners', { token })).toEqual([
    403,
    { message: '403 Forbidden - Runner registration is disabled' },
  ])
  await set({ valid_runner_registrars: ['project'] })
  expect((await call('POST /runners', { token }))[0]).toBe(201)
})

test('mirrors are for administrators alone if the settings say so', async () => {
  const { call, ok, set, root } = await openScene()
  const { id } = await ok('POST /projects', { name: 'app' })
  const M = `/projects/${String(id)}/remote_mirrors`
  const mirror = { url: 'https://example.com/a.git' }
  const made = await ok(`POST ${M}`, mirror)
  await set({ mirror_available: false })
  const refused = [403, { message: '403 Forbidden - Mirrors are disabled' }]
  expect(await call(`POST ${M}`, mirror)).toEqual(refused)
  expect(await call(`PUT ${M}/${String(made['id'])}`, { enabled: true })).toEqual(refused)
  expect(await call(`PUT /projects/${String(id)}/mirror/pull`, mirror)).toEqual(refused)
  expect((await call(`POST ${M}`, mirror, root))[0]).toBe(201)
})

test('another coordinator on the same store learns of changed settings at once', async () => {
  const store = await openPostgres()
  const openStore = () => Promise.resolve(store)
  const { set } = await openScene(openStore)
  const other = await openTestServices({ open: openStore })
  other.channel?.start()
  await vi.waitFor(async () => {
    await set({ search_rate_limit: 7 })
    expect(other.instanceSettings.requestLimits.ofOperations.search.requests).toBe(7)
  }, PATIENT)
  await set({ search_rate_limit: 8, throttle_authenticated_api_enabled: true })
  await vi.waitFor(
    () =>
      expect(other.instanceSettings.requestLimits).toMatchObject({
        authenticated: { requests: 7200, seconds: 3600 },
        ofOperations: { search: { requests: 8 } },
      }),
    PATIENT,
  )
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { readStoredSettings } from '../../../src/coordinator/database/stores/application-setting-store.js'
import { ATTRIBUTES } from '../../../src/coordinator/instance/settings/catalog.js'
import { settingOperations } from '../../../src/coordinator/instance/settings/operations.js'
import { addressOf, isAddress } from '../../../src/coordinator/integrations/services/address-of.js'
import { secretsOf } from '../../../src/coordinator/integrations/services/integrations.js'
import { type IntegrationKind, KINDS } from '../../../src/coordinator/integrations/services/kinds.js'
import { openHook } from '../../../src/coordinator/integrations/webhooks/deliveries/hook-secrets.js'
import { settingDeps } from '../../../src/coordinator/start/setting-deps.js'
import { type Body, openScene } from '../../coordinator/integrations/services/scene.js'
import { addPerson } from '../../coordinator/support/test-app.js'
import { sceneForFile } from '../../support/scene-for-file.js'

const scene = sceneForFile(async (open) => {
  const scene = await openScene(open, { operations: (services) => settingOperations(settingDeps(services)) })
  const root = await addPerson(scene.services.database, 'root', { admin: true })
  const group = (await scene.ok('POST /groups', { name: 'team', path: 'team' }))['id']
  const asRoot = async (route: string, body?: object): Promise<[number, Body]> => {
    const response = await scene.app.call(root, route, body)
    return [response.statusCode, response.body === '' ? {} : response.json()]
  }
  return { ...scene, asRoot, group }
})

const URL = 'https://hooks.example.com/{place}'
const SECRETS = {
  token: 'old-token',
  custom_headers: [{ key: 'X-Key', value: 'old-header' }],
  url_variables: [{ key: 'place', value: 'old-variable' }],
}

/** A new webhook with secrets of each kind; `edit` changes it, `stored` reads what would be sent. */
async function openHookOf(owner: string, url = URL, variables = SECRETS.url_variables) {
  const { asRoot, services, P, group } = await scene()
  const hooks = { project: `${P}/hooks`, group: `/groups/${String(group)}/hooks`, instance: '/hooks' }[owner]
  const [status, { id }] = await asRoot(`POST ${String(hooks)}`, {
    ...SECRETS,
    url,
    url_variables: variables,
  })
  expect(status).toBe(201)
  const stored = async () => {
    const rows = services.database.selectFrom('web_hook').selectAll().where('id', '=', Number(id))
    return openHook(services.secrets, await rows.executeTakeFirstOrThrow())
  }
  const edit = (body: object, below = '') => asRoot(`PUT ${String(hooks)}/${String(id)}${below}`, body)
  return { edit, stored }
}

const OWNERS = ['project', 'group', 'instance']
const NEW_URLS = [
  'https://evil.example.com/',
  'http://hooks.example.com/x',
  'https://hooks.example.com:8443/x',
]

test.each(OWNERS)('a webhook of %s loses its secrets with another URL', async (owner) => {
  for (const url of [...NEW_URLS, 'https://hooks.example.com/other']) {
    const { edit, stored } = await openHookOf(owner)
    expect((await edit({ url }))[0]).toBe(200)
    expect(await stored()).toEqual({
      url,
      token: undefined,
      signingKey: undefined,
      urlVariables: {},
      customHeaders: {},
    })
  }
})

test.each(OWNERS)(
  'a webhook of %s keeps the secrets that the request for another URL sets',
  async (owner) => {
    const { edit, stored } = await openHookOf(owner)
    await edit({
      url: 'https://other.example.com/',
      token: 'new',
      custom_headers: [{ key: 'X', value: 'new' }],
    })
    expect(await stored()).toMatchObject({ token: 'new', customHeaders: { X: 'new' }, urlVariables: {} })
    await edit({ url: 'https://other.example.com/', name: 'renamed' })
    expect(await stored()).toMatchObject({ token: 'new', customHeaders: { X: 'new' } })
  },
)

test('another URL names the secrets that it needs again', async () => {
  const { edit, stored } = await openHookOf('project')
  expect(await edit({ url: 'https://evil.example.com/{place}' })).toEqual([
    422,
    { message: { url_variables: ['require a value for place'] } },
  ])
  expect(await edit({ url: 'https://evil.example.com/', custom_headers: [{ key: 'X-Key' }] })).toEqual([
    422,
    { message: { custom_headers: ['require a value for X-Key'] } },
  ])
  expect(await stored()).toMatchObject({ url: URL, token: 'old-token' })
})

test.each(OWNERS)('a variable that changes the host of a webhook of %s loses its secrets', async (owner) => {
  const variables = [{ key: 'host', value: 'hooks.example.com' }]
  const { edit, stored } = await openHookOf(owner, 'https://{host}/', variables)
  expect((await edit({ value: 'evil.example.com' }, '/url_variables/host'))[0]).toBeLessThan(300)
  expect(await stored()).toMatchObject({ token: undefined, customHeaders: {} })
  const both = [...variables, { key: 'key', value: 'old-variable' }]
  const other = await openHookOf(owner, 'https://{host}/{key}', both)
  expect((await other.edit({ value: 'evil.example.com' }, '/url_variables/host'))[0]).toBe(422)
  expect((await other.edit({ value: 'new' }, '/url_variables/key'))[0]).toBeLessThan(300)
  expect(await other.stored()).toMatchObject({ token: 'old-token', urlVariables: { key: 'new' } })
})

const isAddressOf = (kind: IntegrationKind) => (name: string) => isAddress(kind, name)
const isSecretOf = (kind: IntegrationKind) => (name: string) => kind.properties[name]?.kind === 'secret'
const HOSTED = KINDS.filter((kind) => {
  const names = Object.keys(kind.properties)
  return names.some(isAddressOf(kind)) && names.some(isSecretOf(kind))
})

/** A value for each property. */
function valuesOf(kind: IntegrationKind, host: string): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(kind.properties).map(([name, { kind: value }]) => [
      name,
      {
        url: `https://${host}/x`,
        flag: true,
        integer: 1,
        branches: 'all',
        secret: `secret-of-${name}`,
        text: 'x',
      }[value],
    ]),
  )
}

test.each(HOSTED.map((kind) => [kind.slug, kind] as const))(
  'the integration %s loses its secrets with each part of its address',
  async (slug, kind) => {
    const { call, ok, services, P } = await scene()
    const names = Object.keys(kind.properties)
    const before = { ...valuesOf(kind, 'old.example.com') }
    for (const name of ['webhook', 'server']) if (name in before) before[name] = 'https://old.example.com/'
    for (const name of names.filter(isAddressOf(kind))) {
      await ok(`PUT ${P}/integrations/${slug}`, before)
      const needed = names.filter(
        (one) => isSecretOf(kind)(one) && one !== name && kind.properties[one]?.isRequired,
      )
      const changed = name === 'subdomain' ? 'evil' : 'https://evil.example.com/x'
      const [status, body] = await call(`PUT ${P}/integrations/${slug}`, { [name]: changed })
      if (needed.length > 0)
        expect([status, body['error']]).toEqual([400, expect.stringContaining('needs its secrets')])
      else expect(status).toBeLessThan(300)
      const rows = services.database.selectFrom('integration').selectAll().where('slug', '=', slug)
      const kept = secretsOf(services.secrets, await rows.executeTakeFirst())
      if (needed.length === 0) expect(JSON.stringify(kept)).not.toContain('secret-of')
      await ok(`PUT ${P}/integrations/${slug}`, { ...before, [name]: changed })
    }
  },
)

test.each(KINDS.map((kind) => [kind.slug, kind] as const))(
  'only what counts as the address of the integration %s changes its server',
  (_slug, kind) => {
    const before = valuesOf(kind, 'old.example.com')
    const origin = (values: typeof before) => {
      const url = addressOf(kind, values)?.url ?? 'mailto:'
      return globalThis.URL.canParse(url) ? new globalThis.URL(url).origin : url
    }
    for (const [name, { kind: value }] of Object.entries(kind.properties)) {
      if (value === 'secret' || isAddress(kind, name)) continue
      expect(origin({ ...before, [name]: '@evil.example.com/' }), name).toBe(origin(before))
    }
  },
)

/** Secrets of settings that go to an address that nobody can set. */
const FIXED_ADDRESS = [
  'akismet_api_key',
  'recaptcha_private_key',
  'slack_app_secret',
  'slack_app_verification_token',
]

test('secrets of the instance are lost with the address of their service', async () => {
  const { asRoot, services } = await scene()
  const secrets = Object.entries(ATTRIBUTES).filter(([, { isSecret }]) => isSecret)
  expect(secrets.filter(([, { sentTo }]) => sentTo === undefined).map(([name]) => name)).toEqual(
    FIXED_ADDRESS,
  )
  const stored = async (name: string) => (await readStoredSettings(services.database)).get(name)?.isSecret
  for (const [name, { sentTo }] of secrets) {
    if (sentTo === undefined) continue
    const set = (values: object) => asRoot('PUT /application/settings', values)
    await set({ [sentTo]: 'https://old.example.com', [name]: 'secret' })
    await set({ [sentTo]: 'https://old.example.com', [name]: '[HIDDEN]' })
    expect(await stored(name)).toBe(true)
    await set({ [sentTo]: 'https://evil.example.com', [name]: '[HIDDEN]' })
    expect(await stored(name)).toBe(false)
    await set({ [sentTo]: 'https://new.example.com', [name]: 'new' })
    expect(await stored(name)).toBe(true)
  }
})

/** Why an address cannot be changed so that a stored secret is sent to it. */
const ENCRYPTED: Readonly<Record<string, string>> = {
  'application_setting.value_encrypted': 'tested above',
  'integration.secrets_encrypted': 'tested above',
  'web_hook.url_encrypted': 'tested above',
  'web_hook.token_encrypted': 'tested above',
  'web_hook.signing_key_encrypted': 'tested with status checks, which alone have it',
  'web_hook.url_variables_encrypted': 'tested above',
  'web_hook.custom_headers_encrypted': 'tested above',
  'remote_mirror.url_encrypted': 'credentials are part of the URL, which is set as a whole',
  'pull_mirror.url_encrypted': 'credentials are part of the URL, which is set as a whole',
  'project_import.source_url_encrypted': 'cannot be changed',
  'bulk_import.token_encrypted': 'its address cannot be changed',
  'chat_reply.url_encrypted': 'cannot be changed',
  'mail.content_encrypted': 'cannot be changed',
  'runner_session.authorization_encrypted': 'comes with its address, which is set as a whole',
  'hook_event.payload_encrypted': 'what happened; the receiver of the webhook gets it anyway',
  ...Object.fromEntries(
    [
      ...['project.runners_token_encrypted', 'namespace.runners_token_encrypted'],
      ...['trigger_token.token_encrypted', 'trace_secret.secrets_encrypted'],
      ...['pipeline.trigger_payload_encrypted', 'pipeline_variable.value_encrypted'],
      ...['pipeline_schedule_variable.value_encrypted', 'ci_variable.value_encrypted'],
      ...['job_variable.value_encrypted', 'feature_flag_client.token_encrypted'],
      ...['totp_factor.secret_encrypted', 'proven_sign_in.content_encrypted'],
    ].map((column) => [column, 'has no address']),
  ),
}

test('whatever is stored encrypted is tested here, or has no address that can be changed', async () => {
  const { services } = await scene()
  const { rows } = await sql<{ name: string }>`
    select t.name || '.' || c.name as name from pragma_table_list t join pragma_table_info(t.name) c
    where t.schema = 'main' and c.name like '%\\_encrypted' escape '\\'`.execute(services.database)
  expect(rows.map(({ name }) => name).filter((name) => !(name in ENCRYPTED))).toEqual([])
})

import { expect, test } from 'vitest'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import { authorizedApplicationOperations } from '../../../../src/coordinator/accounts/applications/authorized-operations.js'
import type { AuthorizedApplication } from '../../../../src/coordinator/accounts/applications/authorized-schema.js'
import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { Authenticator } from '../../../../src/coordinator/http/authentication/authenticator.js'
import { describeOnDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { openBrowser } from '../../support/browser.js'
import { insertProject } from '../../support/insert-project.js'
import { EXTERNAL_URL, openApp } from '../../support/test-app.js'
import { allow, ask, letTimePass, poll, type } from './device-scene.js'
import { BACK, CHALLENGE, type Form, openOauthApp, PASSWORD, VERIFIER } from './oauth-app.js'

const MARY = { username: 'mary', password: PASSWORD }

/** A program for the tools, and a user who sees two of three projects. */
async function openScene(open = openSqlite) {
  const app = await openOauthApp(open)
  const { database, mary, root } = app
  const program = await createApplication(database, {
    name: 'Mender',
    redirect_uri: BACK,
    scopes: ['mcp', 'openid', 'read_api'],
    confidential: false,
  })
  const own = await namespaceOf(mary.id)
  const project = (full_path: string, namespace_id: number, creator_id: number) =>
    insertProject(database, { full_path, namespace_id, creator_id })
  const first = await project('mary/App', own, mary.id)
  const second = await project('mary/lib', own, mary.id)
  const hidden = await project('root/secret', await namespaceOf(root.id), root.id)
  const browser = await openBrowser(database, mary)
  return { ...app, app, program, first, second, hidden, browser }

  async function namespaceOf(owner: number): Promise<number> {
    const { id } = await database
      .selectFrom('namespace')
      .select('id')
      .where('owner_id', '=', owner)
      .executeTakeFirstOrThrow()
    return id
  }
}

type Scene = Awaited<ReturnType<typeof openScene>>

const asking = ({ application_id: client_id }: NewApplication, more: Form = {}): Form => ({
  client_id,
  redirect_uri: BACK,
  response_type: 'code',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  scope: 'mcp',
  ...more,
})

function see({ app, browser }: Scene, form: Form) {
  return app.get(`/oauth/authorize?${new URLSearchParams(form).toString()}`, browser.headers)
}

/** Sends the first form of a page in the session of the browser. */
function decide({ app, browser }: Scene, page: { body: string }, more: Form) {
  const [form = ''] = page.body.split('</form>')
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  const headers = { origin: EXTERNAL_URL, 'sec-fetch-site': 'same-origin', ...browser.headers }
  return app.post('/oauth/authorize', { ...fields, decision: 'allow', ...more }, headers)
}

const codeIn = ({ headers }: { headers: Record<string, unknown> }) =>
  new URL(String(headers['location'])).searchParams.get('code') ?? ''

async function trade({ app, program }: Scene, code: string): Promise<TokenResponse> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: BACK, code_verifier: VERIFIER }
  return (await app.asClient(program, form)).json<TokenResponse>()
}

/** What a token permits: its scopes and projects. */
async function reachOf({ database }: Scene, { access_token: token }: TokenResponse) {
  const caller = await new Authenticator(database).identify({ kind: 'bearer', token })
  return caller.kind === 'user' ? [caller.scopes, caller.projectIds] : undefined
}

describeOnDatabase('An application for tools', (open) => {
  test('gets the projects that the user names, keeps them when it refreshes, and they are recorded', async () => {
    const scene = await openScene(open)
    const { app, program, first, second, database } = scene
    const page = await see(scene, asking(program))
    expect(page.body).toContain('<textarea name="projects"')
    const allowed = await decide(scene, page, { projects: ' mary/app\r\n/MARY/LIB/\n\n mary/app' })
    const tokens = await trade(scene, codeIn(allowed))
    expect(tokens.scope).toBe('mcp')
    const reach = [['mcp'], [first.id, second.id]]
    expect(await reachOf(scene, tokens)).toEqual(reach)
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
    const fresh = (await app.asClient(program, refresh)).json<TokenResponse>()
    expect(await reachOf(scene, fresh)).toEqual(reach)
    const events = await database.selectFrom('audit_event').selectAll().execute()
    expect(events.map(({ details }) => details)).toMatchObject([
      { add: 'oauth_grant', target_details: 'Mender', scopes: 'mcp', projects: 'mary/App mary/lib' },
    ])
    const listed = openApp(database, authorizedApplicationOperations({ database }))
    const list = async () => {
      const response = await listed.app.inject({
        url: '/api/v4/user/authorized_applications',
        headers: scene.browser.headers,
      })
      return response.json<AuthorizedApplication[]>().map(({ projects }) => projects)
    }
    const of = ({ id }: { id: number }, path_with_namespace: string | null) => ({ id, path_with_namespace })
    expect(await list()).toEqual([[of(first, 'mary/App'), of(second, 'mary/lib')]])
    await database.deleteFrom('project').where('id', '=', second.id).execute()
    expect(await list()).toEqual([[of(first, 'mary/App'), of(second, null)]])
    // A second grant without a limit: together they reach everything.
    await trade(scene, codeIn(await decide(scene, page, {})))
    expect(await list()).toEqual([null])
  })
})

test('projects that the user does not see are refused by name, and nothing that was typed is lost', async () => {
  const scene = await openScene()
  const { app, program, database } = scene
  const projects = 'mary/app\r\nroot/secret\r\n1\r\n<b>x</b>/y'
  const page = await see(scene, asking(program, { state: 'kept' }))
  const message = 'You see no project with this path: root/secret, 1, &lt;b&gt;x&lt;/b&gt;/y'
  for (const response of [
    await decide(scene, page, { projects }),
    await app.post('/oauth/authorize', { ...asking(program, { state: 'kept' }), ...MARY, projects }),
  ]) {
    expect(response.statusCode).toBe(400)
    expect(response.body).toContain(message)
    expect(response.body).toContain('>mary/app\r\nroot/secret\r\n1\r\n&lt;b&gt;x&lt;/b&gt;/y</textarea>')
    expect(response.body).toContain('name="state" value="kept"')
  }
  expect(await database.selectFrom('oauth_grant').select('id').execute()).toEqual([])
  const wrong = { ...asking(program), username: 'mary', password: 'wrong', projects: 'mary/app' }
  expect((await app.post('/oauth/authorize', wrong)).body).toContain('>mary/app</textarea>')
  const many = Array.from({ length: 101 }, (_, index) => `mary/p${index}`).join('\n')
  expect((await decide(scene, page, { projects: many })).body).toContain('Name at most 100 projects.')
})

testAtNight(
  'projects limit a request with other scopes to the tools, and are not offered for one without',
  async () => {
    const scene = await openScene()
    const { program, first } = scene
    const page = await see(scene, asking(program, { scope: 'mcp openid read_api' }))
    expect(page.body).toContain('the application does not get these scopes: read_api.')
    const tokens = await trade(scene, codeIn(await decide(scene, page, { projects: 'mary/app' })))
    expect(tokens.scope).toBe('mcp openid')
    expect(await reachOf(scene, tokens)).toEqual([['mcp'], [first.id]])
    const other = await see(scene, asking(program, { scope: 'read_api' }))
    expect(other.body).not.toContain('name="projects"')
    const unlimited = await trade(scene, codeIn(await decide(scene, other, { projects: 'mary/app' })))
    expect(await reachOf(scene, unlimited)).toEqual([['read_api'], undefined])
  },
)

test('a grant without a question is for the projects of the latest one', async () => {
  const scene = await openScene()
  const { program, first, database } = scene
  const page = await see(scene, asking(program, { scope: 'mcp openid' }))
  await trade(scene, codeIn(await decide(scene, page, {})))
  await trade(scene, codeIn(await decide(scene, page, { projects: 'mary/app' })))
  const silently = async () =>
    reachOf(
      scene,
      await trade(scene, codeIn(await see(scene, asking(program, { scope: 'mcp openid', prompt: 'none' })))),
    )
  expect(await silently()).toEqual([['mcp'], [first.id]])
  await database.deleteFrom('project').where('id', '=', first.id).execute()
  expect(await silently()).toEqual([['mcp'], []])
})

testAtNight('a device gets the projects that the user names', async () => {
  const scene = await openScene()
  const { app, program, first } = scene
  const device = await ask(app, { scope: 'mcp' }, program)
  expect((await type(app, device)).body).toContain('<textarea name="projects"')
  const refused = await allow(app, device, { projects: 'root/secret' })
  expect([refused.statusCode, refused.body]).toEqual([
    400,
    expect.stringContaining('You see no project with this path: root/secret') as string,
  ])
  expect(refused.body).toContain('>root/secret</textarea>')
  expect((await allow(app, device, { projects: 'mary/app' })).statusCode).toBe(200)
  await letTimePass(app)
  const tokens = (await poll(app, device, program)).json<TokenResponse>()
  expect(await reachOf(scene, tokens)).toEqual([['mcp'], [first.id]])
})

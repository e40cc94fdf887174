import { expect, test } from 'vitest'

import { deployTokenOperations } from '../../../../src/coordinator/hosting/deploy-tokens/operations.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { git, gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight } from '../../../support/nightly.js'
import { addPerson, openApp, type Person, type TestApp } from '../../support/test-app.js'
import { addMember, type GitServer, startGitServer } from '../repositories/git-server.js'

interface Served {
  server: GitServer
  app: TestApp
  admin: Person
}

interface TokenRecord {
  id: number
  username: string
  token: string
}

async function serve(open?: Parameters<typeof startGitServer>[0]): Promise<Served> {
  const server = await startGitServer(open)
  const app = openApp(server.database, deployTokenOperations(server))
  const admin = await addPerson(server.database, 'root', { admin: true })
  await gitOk(await workTree(), 'push', server.remote(), 'main')
  return { server, app, admin }
}

function pull(server: GitServer, { username, token }: TokenRecord) {
  return git('.', 'ls-remote', server.remote(token, encodeURIComponent(username)))
}

describeOnDatabase('deploy tokens', (open) => {
  test('pull their project by name and token until they end, and do nothing else', async () => {
    const { server, app, admin } = await serve(open)
    const path = `/projects/${server.project.id}/deploy_tokens`
    const made = await app.call(admin, `POST ${path}`, { name: 'ci', scopes: ['read_repository'] })
    expect(made.statusCode).toBe(201)
    const record = made.json<TokenRecord>()
    expect(record).toMatchObject({
      name: 'ci',
      username: `gitlab+deploy-token-${record.id}`,
      scopes: ['read_repository'],
      expires_at: null,
      revoked: false,
      expired: false,
      token: expect.stringMatching(/^gldt-/) as string,
    })
    expect((await pull(server, record)).output).toContain('refs/heads/main')
    expect((await pull(server, { ...record, username: 'other' })).exitCode).toBe(0)
    const push = await git(await workTree(), 'push', server.remote(record.token, record.username), 'main:x')
    expect(push.output).toContain('You are not allowed to push code to this project.')
    const hide = (level: 'disabled' | 'enabled') =>
      server.database.updateTable('project').set({ repository_access_level: level }).execute()
    await hide('disabled')
    expect((await pull(server, record)).output).toContain('not allowed to download code')
    await hide('enabled')
    const shown = await app.call(admin, `GET ${path}/${record.id}`)
    expect(shown.json()).not.toHaveProperty('token')
    expect((await app.call(admin, 'GET /deploy_tokens')).json()).toEqual([shown.json()])
    expect((await app.call(admin, `DELETE ${path}/${record.id}`)).statusCode).toBe(204)
    expect((await app.call(admin, `DELETE ${path}/${record.id}`)).statusCode).toBe(404)
    expect((await pull(server, record)).output).toContain('Access denied')
    expect((await app.call(admin, `GET ${path}?active=true`)).json()).toEqual([])
  })

  testAtNight('of a group pull the projects in it, and no other', async () => {
    const { server, app, admin } = await serve(open)
    const group = { kind: 'group' as const, visibility: 'private' as const, created_at: 0 }
    const insert = (path: string) =>
      server.database
        .insertInto('namespace')
        .values({ ...group, name: path, path, full_path: path })
        .returning('id')
        .executeTakeFirstOrThrow()
    const [own, other] = [await insert('team'), await insert('teams')]
    await server.database
      .updateTable('project')
      .set({ full_path: 'team/app', namespace_id: own.id })
      .where('id', '=', server.project.id)
      .execute()
    const tokens = []
    for (const { id } of [own, other]) {
      const body = { name: 'g', scopes: ['read_repository'], username: 'robot' }
      tokens.push((await app.call(admin, `POST /groups/${id}/deploy_tokens`, body)).json<TokenRecord>())
    }
    const remote = (token = ''): string => server.remote(token, 'robot').replace('ada/app', 'team/app')
    expect((await git('.', 'ls-remote', remote(tokens[0]?.token))).output).toContain('refs/heads/main')
    expect((await git('.', 'ls-remote', remote(tokens[1]?.token))).output).toContain('could not be found')
  })
})

test('a token needs a scope and a future expiry, and cannot pull without the repository scope', async () => {
  const { server, app, admin } = await serve()
  const path = `/projects/${server.project.id}/deploy_tokens`
  const responses = []
  for (const body of [
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['api'] },
    { scopes: ['read_repository'] },
    { name: 'x', scopes: ['read_repository'], expires_at: '2020-01-01' },
  ]) {
    responses.push((await app.call(admin, `POST ${path}`, body)).body)
  }
  expect(responses).toEqual([
    `{"message":{"scopes":["can't be blank"]}}`,
    '{"error":"scopes[0] does not have a valid value"}',
    '{"error":"name is missing"}',
    '{"message":{"expires_at":["must be in the future"]}}',
  ])
  const made = await app.call(admin, `POST ${path}`, { name: 'r', scopes: 'read_registry,write_registry' })
  expect(made.json()).toMatchObject({ scopes: ['read_registry', 'write_registry'] })
  expect((await pull(server, made.json())).exitCode).toBe(128)
  const soon = new Date(Date.now() + 60_000).toISOString()
  const limited = await app.call(admin, `POST ${path}`, {
    name: 's',
    scopes: ['read_repository'],
    expires_at: soon,
  })
  expect(limited.json()).toMatchObject({ expires_at: soon })
  await server.database
    .updateTable('deploy_token')
    .set({ expires_at: Date.now() - 1 })
    .execute()
  expect((await pull(server, limited.json())).exitCode).toBe(128)
  expect((await app.call(admin, `GET ${path}?active=false`)).json()).toHaveLength(2)
})

test('the tokens of a project are visible only to its maintainers', async () => {
  const { server, app } = await serve()
  await addMember(server, 'dev', 30)
  const developer = await addPerson(server.database, 'someone')
  const path = `/projects/${server.project.id}/deploy_tokens`
  expect((await app.call(developer, `GET ${path}`)).statusCode).toBe(404)
  expect((await app.call(undefined, `GET ${path}`)).statusCode).toBe(401)
  expect((await app.call(developer, 'GET /deploy_tokens')).statusCode).toBe(403)
})

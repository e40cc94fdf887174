import { generateKeyPairSync } from 'node:crypto'

import { parseKey } from 'sshpk'
import { expect, test } from 'vitest'

import { deployKeyOperations } from '../../../../src/coordinator/hosting/deploy-keys/operations.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { insertProject } from '../../support/insert-project.js'
import { addRepositoryMember, openRepositoryApi } from '../../support/repository-api.js'
import { addPerson, openApp } from '../../support/test-app.js'

function newKey(type: 'ed25519' | 'rsa' = 'ed25519', bits = 1024): string {
  const { publicKey } =
    type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: bits })
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  return parseKey(pem, 'pem').toString('ssh').replace(' (unnamed)', ' robot@build')
}

async function serve(open: OpenDatabase = openSqlite) {
  const api = await openRepositoryApi(open)
  const mayAdminister = async (user: { id: number }, projectId: number) => {
    const row = await api.database
      .selectFrom('member')
      .select('access_level')
      .where('project_id', '=', projectId)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    return (row?.access_level ?? 0) >= 40
  }
  const app = openApp(api.database, deployKeyOperations({ ...api, mayAdminister }))
  return { api, app, path: `/projects/${api.project.id}/deploy_keys` }
}

describeOnDatabase('deploy keys', (open) => {
  test('are added, listed, changed, and gone with the last project that has them', async () => {
    const { api, app, path } = await serve(open)
    const key = newKey()
    const made = await app.call(api.owner, `POST ${path}`, {
      title: 'robot',
      key: `${key}\n`,
      can_push: true,
    })
    expect(made.statusCode).toBe(201)
    const { id } = made.json<{ id: number }>()
    expect(made.json()).toMatchObject({ title: 'robot', key, can_push: true, expires_at: null })
    expect(made.json()).toMatchObject({
      fingerprint: parseKey(key, 'ssh').fingerprint('md5').toString('hex'),
    })
    expect((await app.call(api.owner, `GET ${path}`)).json()).toEqual([made.json()])
    const edited = await app.call(api.owner, `PUT ${path}/${id}`, { title: 'new', can_push: false })
    expect(edited.json()).toMatchObject({ title: 'new', can_push: false })
    expect((await app.call(api.owner, `PUT ${path}/${id}`, {})).statusCode).toBe(400)
    expect((await app.call(api.owner, `POST ${path}`, { title: 'again', key })).json()).toMatchObject({ id })
    const root = await addPerson(api.database, 'root', { admin: true })
    expect((await app.call(root, 'GET /deploy_keys')).json()).toMatchObject([
      {
        id,
        projects_with_write_access: [],
        projects_with_readonly_access: [
          {
            description: null,
            name_with_namespace: 'ada / app',
            path_with_namespace: 'ada/app',
            created_at: expect.stringMatching(/Z$/) as string,
          },
        ],
      },
    ])
    expect((await app.call(root, 'GET /deploy_keys?public=true')).json()).toEqual([])
    expect((await app.call(api.owner, `DELETE ${path}/${id}`)).statusCode).toBe(204)
    expect((await app.call(api.owner, `GET ${path}/${id}`)).json()).toEqual({
      message: '404 Deploy Key Not Found',
    })
    expect(await api.database.selectFrom('deploy_key').selectAll().execute()).toEqual([])
  })
})

test('a deploy key of another user cannot be added, enabled or seen', async () => {
  const { api, app, path } = await serve()
  const key = newKey()
  const { id } = (await app.call(api.owner, `POST ${path}`, { title: 'a', key })).json<{ id: number }>()
  const eve = await addPerson(api.database, 'eve')
  const namespace = await api.database
    .selectFrom('namespace')
    .select('id')
    .where('path', '=', 'eve')
    .executeTakeFirstOrThrow()
  const other = await insertProject(api.database, {
    namespace_id: namespace.id,
    creator_id: eve.id,
    full_path: 'eve/own',
  })
  const hers = `/projects/${other.id}/deploy_keys`
  const taken = await app.call(eve, `POST ${hers}`, {
    title: 'b',
    key: key.replace('robot@build', 'other comment'),
  })
  expect([taken.statusCode, taken.json()]).toEqual([
    400,
    { message: { 'deploy_key.fingerprint': ['has already been taken'] } },
  ])
  expect((await app.call(eve, `POST ${hers}/${id}/enable`)).statusCode).toBe(404)
  expect((await app.call(eve, `GET ${hers}/${id}`)).statusCode).toBe(404)
  await api.database
    .insertInto('member')
    .values({ project_id: api.project.id, user_id: eve.id, access_level: 40, created_at: 0 })
    .execute()
  expect((await app.call(eve, `POST ${hers}/${id}/enable`)).json()).toMatchObject({ id, can_push: false })
  expect((await app.call(eve, `DELETE ${hers}/${id}`)).statusCode).toBe(204)
  expect((await app.call(eve, `GET ${path}/${id}`)).statusCode).toBe(200)
})

test("a key goes with the last project that has it, and may then be anybody else's", async () => {
  const { api, app, path } = await serve()
  const key = newKey()
  await app.call(api.owner, `POST ${path}`, { title: 'a', key })
  await api.database.deleteFrom('deploy_key_project').execute() // as deleting the project does
  const maintainer = await addRepositoryMember(api, 'mia', 40)
  const made = await app.call(maintainer, `POST ${path}`, { title: 'b', key })
  expect([made.statusCode, made.json()]).toMatchObject([201, { title: 'b' }])
})

testAtNight('invalid and weak public keys are refused', async () => {
  const { api, app, path } = await serve()
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const invalid = { message: { 'deploy_key.key': ['must be a valid OpenSSH public key'] } }
  for (const key of ['x', 'ssh-rsa AAAA', `${newKey()}\n${newKey()}`, pem, 'ssh-ed25519 !!!!']) {
    const refused = await app.call(api.owner, `POST ${path}`, { title: 'x', key })
    expect([refused.statusCode, refused.json()]).toEqual([400, invalid])
  }
  const weak = await app.call(api.owner, `POST ${path}`, { title: 'x', key: newKey('rsa') })
  expect(weak.body).toContain('is too weak')
  const developer = await addRepositoryMember(api, 'dev', 30)
  expect((await app.call(developer, `GET ${path}`)).statusCode).toBe(403)
})

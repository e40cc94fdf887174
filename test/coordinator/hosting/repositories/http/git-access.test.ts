import { gzipSync } from 'node:zlib'

import { request } from 'undici'
import { expect, test } from 'vitest'

import type { Project } from '../../../../../src/coordinator/access/caller.js'
import { SecretBox } from '../../../../../src/coordinator/crypto/secret-box.js'
import { createProject } from '../../../../../src/coordinator/hosting/projects/create/create-project.js'
import { authenticate } from '../../../../../src/coordinator/hosting/repositories/http/git-access.js'
import { apiError } from '../../../../../src/coordinator/http/errors.js'
import { git, gitOk, workTree } from '../../../../support/git-client.js'
import { NO_IMPORTS } from '../../../support/no-imports.js'
import { addMember, addRunningJob, type GitServer, gitServerForFile, tokenOf } from '../git-server.js'

const startGitServer = gitServerForFile()

interface Received {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
}

async function ask(server: GitServer, path: string, credentials?: string, method = 'GET'): Promise<Received> {
  const { statusCode, headers, body } = await request(`${server.url}${path}`, {
    method: method as 'GET',
    headers: credentials ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {},
  })
  return { status: statusCode, text: await body.text(), headers }
}

const PULL = '/ada/app.git/info/refs?service=git-upload-pack'
const PUSH = '/ada/app.git/info/refs?service=git-receive-pack'
const INVISIBLE =
  "The project you were looking for could not be found or you don't have permission to view it.\n"

async function setProject(
  server: GitServer,
  values: {
    visibility?: 'public' | 'internal'
    archived?: boolean
    marked_for_deletion_at?: number
    repository_access_level?: 'disabled' | 'private'
  },
) {
  await server.database.updateTable('project').set(values).execute()
}

test('advertisements carry the type, caching and capabilities that clients look for', async () => {
  const server = await startGitServer()
  for (const [path, service] of [
    [PULL, 'git-upload-pack'],
    [PUSH, 'git-receive-pack'],
  ] as const) {
    const { status, headers, text } = await ask(server, path, `ada:${server.ownerToken}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe(`application/x-${service}-advertisement`)
    expect(headers['cache-control']).toContain('no-cache')
    expect(text).toContain(`# service=${service}\n0000`)
  }
  const { text } = await ask(server, PUSH, `ada:${server.ownerToken}`)
  for (const word of [
    'push-options',
    'atomic',
    'report-status',
    'delete-refs',
    'side-band-64k',
    'ofs-delta',
  ]) {
    expect(text).toContain(word)
  }
})

test('missing or wrong credentials get an authentication challenge', async () => {
  const server = await startGitServer()
  for (const credentials of [undefined, 'ada:wrong', 'gitlab-ci-token:wrong']) {
    const response = await ask(server, PULL, credentials)
    expect(response.status).toBe(401)
    expect(response.headers['www-authenticate']).toMatch(/^Basic realm=".+"$/)
    expect(response.text).toMatch(/^HTTP Basic: Access denied/)
    expect(response.headers['x-error-code']).toBe('git_credentials_required')
  }
  expect((await ask(server, '/ada/missing.git/info/refs?service=git-upload-pack')).status).toBe(401)
})

test.each([
  ['account_blocked', 'Your account has been blocked.'],
  ['email_not_confirmed', 'You have to confirm your e-mail address first.'],
  ['too_many_addresses', 'Your account is used from too many addresses.'],
] as const)('a git client gets the reason for which its user cannot sign in: %s', async (code, message) => {
  const access = { authenticate: () => Promise.reject(apiError(code)) }
  await expect(
    authenticate(access, { authorization: undefined, address: '127.0.0.1' }),
  ).rejects.toMatchObject({
    status: 403,
    message,
  })
})

test('a stranger cannot tell a private project from one that is not there', async () => {
  const server = await startGitServer()
  const stranger = await addMember(server, 'eve', 0)
  for (const path of [PULL, PUSH, PULL.replace('app', 'missing')]) {
    expect(await ask(server, path, `eve:${stranger}`)).toMatchObject({ status: 404, text: INVISIBLE })
  }
})

test.each([
  [10, 403, 'You are not allowed to download code from this project.\n', 403],
  [20, 200, undefined, 403],
  [30, 200, undefined, 200],
] as const)('a member of level %i: fetch %i, push %i', async (level, pull, text, push) => {
  const server = await startGitServer()
  const token = await addMember(server, 'eve', level)
  const fetch = await ask(server, PULL, `eve:${token}`)
  expect(fetch.status).toBe(pull)
  if (text) expect(fetch.text).toBe(text)
  const pushing = await ask(server, PUSH, `eve:${token}`)
  expect(pushing.status).toBe(push)
  if (push === 403) expect(pushing.text).toBe('You are not allowed to push code to this project.\n')
})

test('a public project is read by anyone and pushed to by members', async () => {
  const server = await startGitServer()
  await setProject(server, { visibility: 'public' })
  expect((await ask(server, PULL)).status).toBe(200)
  expect((await ask(server, PUSH)).status).toBe(401)
  const stranger = await addMember(server, 'eve', 0)
  expect((await ask(server, PUSH, `eve:${stranger}`)).status).toBe(403)
})

test.each([
  ['archived', { archived: true }],
  ['marked for deletion', { marked_for_deletion_at: 1 }],
])('a project that is %s is read and not pushed to', async (reason, state) => {
  const server = await startGitServer()
  await setProject(server, state)
  expect((await ask(server, PULL, `ada:${server.ownerToken}`)).status).toBe(200)
  const push = await ask(server, PUSH, `ada:${server.ownerToken}`)
  expect(push.status).toBe(403)
  expect(push.text).toBe(`This project is ${reason}: its repository is read-only.\n`)
})

test('the scopes of a token limit its use', async () => {
  const server = await startGitServer()
  const reading = await tokenOf(server, server.owner, ['read_repository'])
  expect((await ask(server, PULL, `oauth2:${reading}`)).status).toBe(200)
  expect((await ask(server, PUSH, `oauth2:${reading}`)).status).toBe(403)
  const other = await tokenOf(server, server.owner, ['read_user'])
  expect((await ask(server, PULL, `ada:${other}`)).status).toBe(401)
})

/** A second project of the same owner, and a job of the first one. */
async function withOtherProject(server: GitServer): Promise<{ other: Project; credentials: string }> {
  const secrets = new SecretBox(Buffer.alloc(32))
  const made = { ...server, secrets, imports: NO_IMPORTS }
  const other = await createProject(made, { name: 'other' }, server.owner)
  return { other, credentials: `gitlab-ci-token:${await addRunningJob(server, server.project)}` }
}

const OTHER_PULL = PULL.replace('app', 'other')
const OTHER_PUSH = PUSH.replace('app', 'other')

test('a job token can fetch its own project while the job runs, and cannot push', async () => {
  const server = await startGitServer()
  const { credentials } = await withOtherProject(server)
  expect((await ask(server, PULL, credentials)).status).toBe(200)
  expect((await ask(server, PUSH, credentials)).status).toBe(403)
  await server.database.updateTable('job').set({ status: 'success' }).execute()
  expect((await ask(server, PULL, credentials)).status).toBe(401)
})

test('a job token can fetch a project with its own project on the allowlist, and cannot push', async () => {
  const server = await startGitServer()
  const { other, credentials } = await withOtherProject(server)
  const unlisted = await ask(server, OTHER_PULL, credentials)
  expect(unlisted.status).toBe(403)
  expect(unlisted.text).toBe(
    `This project does not accept job tokens of project ${server.project.id}: a maintainer can add it to the allowlist with POST /projects/${other.id}/job_token_scope/allowlist.\n`,
  )
  const entry = { project_id: other.id, allowed_project_id: server.project.id, created_at: 0 }
  await server.database.insertInto('job_token_project').values(entry).execute()
  expect((await ask(server, OTHER_PULL, credentials)).status).toBe(200)
  const push = await ask(server, OTHER_PUSH, credentials)
  expect([push.status, push.text]).toEqual([403, 'You are not allowed to push code to this project.\n'])

  await addMember(server, 'eve', 0)
  const eve = server.database.selectFrom('user').select('id').where('username', '=', 'eve')
  await server.database.updateTable('job').set({ user_id: eve }).execute()
  for (const path of [OTHER_PULL, OTHER_PUSH]) {
    expect(await ask(server, path, credentials)).toMatchObject({ status: 404, text: INVISIBLE })
  }
})

test('a job token outside the allowlist can fetch public repositories and cannot push', async () => {
  const server = await startGitServer()
  const { credentials } = await withOtherProject(server)
  for (const visibility of ['public', 'internal'] as const) {
    await setProject(server, { visibility })
    expect((await ask(server, OTHER_PULL, credentials)).status).toBe(200)
    expect((await ask(server, OTHER_PUSH, credentials)).status).toBe(403)
  }
  await server.database.updateTable('user').set({ external: true }).execute()
  expect((await ask(server, OTHER_PULL, credentials)).status).toBe(403)
  await setProject(server, { visibility: 'public', repository_access_level: 'private' })
  expect((await ask(server, OTHER_PULL, credentials)).text).toMatch(
    /^This project does not accept job tokens/,
  )
  await setProject(server, { repository_access_level: 'disabled' })
  expect((await ask(server, OTHER_PULL, credentials)).text).toMatch(/^You are not allowed to download code/)
})

test('the plain-file protocol and HEAD are refused, and the address without .git leads to the one with it', async () => {
  const server = await startGitServer()
  const credentials = `ada:${server.ownerToken}`
  expect((await ask(server, '/ada/app.git/info/refs', credentials)).status).toBe(403)
  expect((await ask(server, PULL, credentials, 'HEAD')).status).toBe(403)
  const redirect = await ask(server, PULL.replace('.git/', '/'))
  expect(redirect.status).toBe(301)
  expect(redirect.headers['location']).toBe(PULL)
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  expect((await git(tree, 'ls-remote', server.remote().replace(/\.git$/, ''))).output).toContain(
    'refs/heads/main',
  )
})

test('a project without a repository says so', async () => {
  const server = await startGitServer()
  await server.repositories.delete(server.project.id)
  const response = await ask(server, PULL, `ada:${server.ownerToken}`)
  expect(response).toMatchObject({ status: 404, text: 'A repository for this project does not exist yet.\n' })
})

test('a body that is no push is refused', async () => {
  const server = await startGitServer()
  const response = await request(`${server.url}/ada/app.git/git-receive-pack`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`a:${server.ownerToken}`).toString('base64')}` },
    body: 'hello, this is no push',
  })
  expect(response.statusCode).toBe(400)
  expect(await response.body.text()).toContain('not a git request')
})

test('a packed body is unpacked, one in an unknown packing is refused', async () => {
  const server = await startGitServer()
  const post = (encoding: string, body: Buffer) =>
    request(`${server.url}/ada/app.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`a:${server.ownerToken}`).toString('base64')}`,
        'content-encoding': encoding,
      },
      body,
    })
  const probe = await post('gzip', gzipSync('0000'))
  expect(probe.statusCode).toBe(200)
  expect(probe.headers['content-type']).toBe('application/x-git-receive-pack-result')
  expect(await probe.body.text()).toBe('')
  const unknown = await post('br', Buffer.from('0000'))
  expect(unknown.statusCode).toBe(415)
  await unknown.body.dump()
})

test('a disabled repository refuses fetch and push; a members-only repository requires membership', async () => {
  const server = await startGitServer()
  const stranger = await addMember(server, 'stranger', 0)
  await setProject(server, { visibility: 'public', repository_access_level: 'private' })
  expect((await ask(server, PULL)).status).toBe(401)
  expect(await ask(server, PULL, `x:${stranger}`)).toMatchObject({
    status: 403,
    text: 'You are not allowed to download code from this project.\n',
  })
  expect((await ask(server, PULL, `x:${server.ownerToken}`)).status).toBe(200)
  await setProject(server, { repository_access_level: 'disabled' })
  expect((await ask(server, PULL, `x:${server.ownerToken}`)).status).toBe(403)
  expect((await ask(server, PUSH, `x:${server.ownerToken}`)).status).toBe(403)
})

import { createHash, randomBytes } from 'node:crypto'

import { Gitlab } from '@gitbeaker/rest'
import { expect, test } from 'vitest'

import { git, gitOk } from '../support/git-client.js'
import { tempDir } from '../support/temp-dir.js'
import { runPython } from './support/python.js'
import { type Person, refusalOf, Service } from './support/service.js'

const PASSWORD = 'correct horse battery'
const BACK = 'http://localhost:7171/auth/redirect'

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Lets an application in as the command line client does: with PKCE, and without a secret. */
async function letIn(service: Service, person: Person): Promise<{ client: string; tokens: Tokens }> {
  await service.json('PUT', `/users/${person.id}`, { password: PASSWORD })
  const { application_id: client } = await service.json<{ application_id: string }>('POST', '/applications', {
    name: 'Command line',
    redirect_uri: BACK,
    confidential: false,
    scopes: 'openid profile read_user write_repository api',
  })
  const verifier = randomBytes(64).toString('base64url')
  const request = {
    client_id: client,
    redirect_uri: BACK,
    response_type: 'code',
    state: 'here',
    scope: 'openid profile read_user write_repository api',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  }
  const page = await fetch(`${service.url}/oauth/authorize?${new URLSearchParams(request).toString()}`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Authorize Command line?')])
  const sent = await fetch(`${service.url}/oauth/authorize`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...request, username: person.username, password: PASSWORD }),
  })
  expect(sent.status).toBe(302)
  const back = new URL(sent.headers.get('location') ?? '')
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([BACK, 'here'])
  const code = back.searchParams.get('code') ?? ''
  return { client, tokens: await tokensFor(service, client, { code, code_verifier: verifier }) }
}

async function tokensFor(service: Service, client: string, form: Record<string, string>): Promise<Tokens> {
  const grant_type = 'code' in form ? 'authorization_code' : 'refresh_token'
  const response = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client, redirect_uri: BACK, grant_type, ...form }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Tokens
}

test('authorized clients read the user, clone and push, until the user is deleted', async () => {
  const service = await Service.start()
  const mary = await service.addPerson('mary')
  const project = await service.addProject({ 'README.md': 'Hi\n' }, mary)
  const { client, tokens } = await letIn(service, mary)

  expect(await runPython('oauth.py', { url: service.url, token: tokens.access_token })).toEqual({
    username: 'mary',
    projects: [project.path],
    unknown_token: { kind: 'GitlabAuthenticationError', status: 401, message: '401 Unauthorized' },
  })
  const gitbeaker = new Gitlab({ host: service.url, oauthToken: tokens.access_token })
  expect(await gitbeaker.Users.showCurrentUser()).toMatchObject({ username: 'mary' })

  const remoteFor = (token: string) =>
    `${service.url.replace('//', `//oauth2:${token}@`)}/${project.path}.git`
  const clone = await tempDir()
  await gitOk(clone, 'clone', '--quiet', remoteFor(tokens.access_token), 'copy')
  await gitOk(project.workTree, 'push', '--quiet', remoteFor(tokens.access_token), 'HEAD:refs/heads/other')

  const { access_token } = await tokensFor(service, client, { refresh_token: tokens.refresh_token })
  expect((await refusalOf(gitbeaker.Users.showCurrentUser())).status).toBe(401)
  expect((await git('.', 'ls-remote', remoteFor(tokens.access_token))).exitCode).toBe(128)
  expect(await gitOk('.', 'ls-remote', '--heads', remoteFor(access_token))).toContain('refs/heads/other')

  const asMary = () => service.fetch('GET', '/user', { headers: { authorization: `Bearer ${access_token}` } })
  expect((await asMary()).status).toBe(200)
  expect((await service.fetch('DELETE', `/users/${mary.id}`, { as: service.root })).status).toBe(204)
  expect((await asMary()).status).toBe(401)
})

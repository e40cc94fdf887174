import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { runGit } from '../../../src/git/run-git.js'
import { redirectedAddress } from '../../../src/runner/workspace/follow-redirects.js'
import { SourcesError } from '../../../src/runner/workspace/workspace.js'
import { startGitServer } from '../../runner/workspace/git-server.js'
import { LfsStore } from '../../runner/workspace/lfs-store.js'
import { openWorkspace, prepare } from '../../runner/workspace/workspaces.js'
import { variants } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

interface Listener {
  url: string
  /** `Authorization` of each request that came. */
  authorizations: (string | undefined)[]
}

/** A server on a loopback address, which is another origin on each address and port. */
async function listen(
  host: string,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listener> {
  const authorizations: (string | undefined)[] = []
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization)
    respond(request, response)
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, authorizations }
}

function redirectTo(base: string): (request: IncomingMessage, response: ServerResponse) => void {
  return ({ url = '' }, response) => response.writeHead(301, { location: base + url }).end()
}

/** As much of git's protocol as brings the client to a second request, which git sends credentials with. */
function advertise({ method }: IncomingMessage, response: ServerResponse): void {
  const type = method === 'GET' ? 'advertisement' : 'result'
  response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${type}` })
  const lines = ['# service=git-upload-pack\n', '', 'version 2\n', 'ls-refs\n', 'fetch\n', '']
  response.end(method === 'GET' ? lines.map(pktLine).join('') : '0000')
}

function pktLine(text: string): string {
  return text === '' ? '0000' : (text.length + 4).toString(16).padStart(4, '0') + text
}

function withToken(url: string): string {
  return url.replace('//', '//gitlab-ci-token:job-token@')
}

const SHA = 'a'.repeat(40)

test('the job token does not follow a redirect of the server to another origin', async () => {
  const other = await listen('127.0.0.2', advertise)
  const own = await listen('127.0.0.1', redirectTo(other.url))
  const server = await startGitServer()
  const { workspace } = await openWorkspace()
  const work = prepare(workspace, { ...server, repoUrl: `${withToken(own.url)}/group/project.git` }, SHA)
  await expect(work).rejects.toThrow(
    `${own.url}/group/project.git redirects to ${other.url}/group/project.git on another server, which must not receive its credentials. Use that address instead`,
  )
  expect(own.authorizations.every((value) => value?.startsWith('Basic '))).toBe(true)
  expect(other.authorizations).toEqual([])
})

test('the job token does not follow the redirect of a submodule of the own server to another origin', async () => {
  const other = await listen('127.0.0.2', advertise)
  const server = await startGitServer()
  const sha = await server.commit(addSubmodule('../../moved/away.git'))
  server.redirect('/moved/away.git', `${other.url}/away.git`)
  const { workspace } = await openWorkspace()
  const work = prepare(workspace, server, sha, { settings: { submodules: RECURSIVE } })
  await expect(work).rejects.toThrow('on another server, which must not receive its credentials')
  expect(other.authorizations).toEqual([])
})

test('a fetch that needs no token is not redirected into the machine of the runner', async () => {
  const inside = await listen('127.0.0.3', advertise)
  const server = await startGitServer('sha1', { isPublic: true })
  const sha = await server.commit(addSubmodule('../../moved/away.git'))
  server.redirect('/moved/away.git', `${inside.url}/away.git`)
  const { workspace } = await openWorkspace()
  const work = prepare(workspace, server, sha, { settings: { submodules: RECURSIVE } })
  await expect(work).rejects.toThrow('is an address of the runner’s machine')
  expect(inside.authorizations).toEqual([])
})

test('git-lfs takes the job token to no other origin, by whatever the server responds with', async () => {
  const server = await startGitServer()
  const elsewhere = new LfsStore()
  const other = await listen('127.0.0.2', (request, response) => elsewhere.handle(request, response))
  for (const path of ['/lfs-objects', '/group/project.git/info/lfs']) {
    const pointer = server.lfs.add(`${path}\n`)
    elsewhere.add(`${path}\n`)
    const sha = await server.commit(
      `printf '${pointer.replaceAll('\n', '\\n')}' > big.bin; echo '*.bin filter=lfs' > .gitattributes`,
    )
    server.redirect(path, other.url + path)
    const { workspace } = await openWorkspace()
    await prepare(workspace, server, sha).catch(() => undefined)
    expect(server.lfs.requests.length + elsewhere.requests.length).toBeGreaterThan(0)
  }
  expect(new Set(other.authorizations)).toEqual(new Set([undefined]))
})

const RECURSIVE = { isRecursive: true, depth: 0, isRemote: false, forceHttps: false, paths: [] }

function addSubmodule(url: string): string {
  return [
    'mkdir lib',
    'git config -f .gitmodules submodule.lib.path lib',
    `git config -f .gitmodules submodule.lib.url '${url}'`,
    `git update-index --add --cacheinfo 160000,${SHA},lib`,
  ].join('\n')
}

test('a project that was renamed is fetched from its new address with the same token', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  server.redirect('/old/name', '/older/name')
  server.redirect('/older/name', '/group/project')
  const { workspace, work } = await openWorkspace()
  const repoUrl = server.repoUrl.replace('/group/project.git', '/old/name.git')
  const log = await prepare(workspace, { ...server, repoUrl }, sha)
  expect(log).toContain('warning: redirecting to ')
  expect(log).not.toContain(server.token)
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
})

test('redirects without end are given up', async () => {
  const server = await startGitServer()
  server.redirect('/group/project', '/group/project')
  const { workspace } = await openWorkspace()
  await expect(prepare(workspace, server, SHA)).rejects.toThrow('redirects more than 5 times')
})

test.each(variants(['initial', 'false'], ['true']))(
  'git of this machine would send credentials to another origin by http.followRedirects=%s, unless it is false',
  async (value) => {
    const other = await listen('127.0.0.2', advertise)
    const own = await listen('127.0.0.1', redirectTo(other.url))
    const header = { [`http.${own.url}/.extraHeader`]: 'Authorization: Basic secret' }
    const settings = { ...header, 'http.followRedirects': value }
    const outcome = await runGit(['ls-remote', `${own.url}/x.git`], { settings }).then(
      () => 'followed',
      () => 'refused',
    )
    expect(outcome).toBe(value === 'false' ? 'refused' : 'followed')
    expect(other.authorizations.includes('Basic secret')).toBe(value !== 'false')
  },
)

test('every git process follows no redirect of its own accord', async () => {
  expect((await runGit(['config', '--get', 'http.followRedirects'], { cwd: await tempDir() })).trim()).toBe(
    'false',
  )
})

const FROM = 'https://ci.example.com/group/project.git'
const CREDENTIALS = { 'http.https://ci.example.com/.extraHeader': 'Authorization: Basic x' }
const refs = (url: string) => `${url}/info/refs?service=git-upload-pack`

test.each([
  [refs('https://ci.example.com/new/name.git'), 'https://ci.example.com/new/name.git'],
  [refs('/new/name.git'), 'https://ci.example.com/new/name.git'],
  [refs('https://user:password@ci.example.com/new.git'), 'https://ci.example.com/new.git'],
  [refs('https://ci.example.com:443/new.git'), 'https://ci.example.com/new.git'],
])('a redirect to %s keeps the credentials, on %s', (location, url) => {
  expect(redirectedAddress({ url: FROM, credentials: CREDENTIALS }, location, FROM)).toEqual({
    url,
    credentials: CREDENTIALS,
  })
})

test.each([
  refs('http://ci.example.com/group/project.git'),
  refs('https://ci.example.com:8443/group/project.git'),
  refs('https://ci.example.com.evil.example/x.git'),
  refs('https://ci.example.com@evil.example/x.git'),
  refs('//evil.example/x.git'),
  refs('/\\evil.example/x.git'),
])('a redirect to %s does not take the credentials along', (location) => {
  const follow = () => redirectedAddress({ url: FROM, credentials: CREDENTIALS }, location, FROM)
  expect(follow).toThrow('on another server, which must not receive its credentials')
})

test.each([
  'file:///etc/passwd/info/refs?service=git-upload-pack',
  'ssh://ci.example.com/x/info/refs?service=git-upload-pack',
  'https://ci.example.com/users/sign_in',
  'https://ci.example.com/x.git/info/refs?service=git-receive-pack',
  'https://ci.example.com/x.git/info/refs',
  'http://[::1/info/refs',
])('a redirect to %s is none to a repository', (location) => {
  const follow = () => redirectedAddress({ url: FROM, credentials: {} }, location, FROM)
  expect(follow).toThrow(SourcesError)
  expect(follow).toThrow('redirects to an address that is not a repository')
})

test.each(['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '[::ffff:127.0.0.1]'])(
  'a fetch without credentials is redirected to another server, but not to %s',
  (host) => {
    const address = { url: 'https://github.example/a/b.git', credentials: {} }
    const follow = (location: string) => redirectedAddress(address, location, FROM)
    expect(follow(refs('https://codeberg.example/a/b.git'))).toEqual({
      url: 'https://codeberg.example/a/b.git',
      credentials: {},
    })
    expect(() => follow(refs(`http://${host}/a.git`))).toThrow('is an address of the runner’s machine')
  },
)

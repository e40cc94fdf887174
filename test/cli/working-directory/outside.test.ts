import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { execa } from 'execa'
import { describe, expect, test } from 'vitest'

import { inspect } from '../../../src/ci-config/compile.js'
import type { CompileResult } from '../../../src/ci-config/plan.js'
import { localEvent } from '../../../src/cli/working-directory/local-event.js'
import { LocalSources } from '../../../src/cli/working-directory/local-sources.js'
import { openOutside, type OutsideFlags } from '../../../src/cli/working-directory/outside/open-outside.js'
import { serverOfRemote } from '../../../src/cli/working-directory/outside/server-address.js'
import { settingsFromServer } from '../../../src/cli/working-directory/outside/settings-from-server.js'
import { openWorkingDirectory } from '../../../src/cli/working-directory/working-directory.js'
import { createProject } from '../../../src/coordinator/hosting/projects/create/create-project.js'
import { listCiOperations } from '../../../src/coordinator/start/operations/ci.js'
import {
  listProjectOperations,
  listRepositoryOperations,
} from '../../../src/coordinator/start/operations/hosting.js'
import { NO_IMPORTS } from '../../coordinator/support/no-imports.js'
import { seedDefaultBranch } from '../../coordinator/support/repository-api.js'
import { addPerson } from '../../coordinator/support/test-app.js'
import { openTestApp, openTestServices } from '../../coordinator/support/test-coordinator.js'
import { gitOk } from '../../support/git-client.js'
import { onFinished, openForFile } from '../../support/lifetime.js'
import { sampled } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

const LIBRARY = {
  'ci/jobs.yml': 'from-project: {script: x}\n',
  'ci/more.yml': 'include: {local: ci/jobs.yml}\n',
  'templates/deploy.yml':
    'spec: {inputs: {to: {default: here}}}\n---\nfrom-component: {script: "$[[ inputs.to ]]"}\n',
}

/** A coordinator on loopback with the private projects `ada/app` and `ada/library`. */
const coordinator = openForFile(async () => {
  const services = await openTestServices()
  const { database, repositories } = services
  const ada = await addPerson(database, 'ada')
  const stranger = await addPerson(database, 'eve')
  const deps = { ...services, imports: NO_IMPORTS }
  const library = await createProject(deps, { name: 'library' }, ada)
  await seedDefaultBranch({ database, repositories, project: library }, LIBRARY)
  for (const tag of ['1.0.0', '1.2.0', 'beta']) await gitOk(repositories.path(library.id), 'tag', tag, 'main')
  const app = await createProject(deps, { name: 'app' }, ada)
  await seedDefaultBranch({ database, repositories, project: app })
  const web = openTestApp(services, {
    operations: (of, more) => [
      ...listProjectOperations(of, more),
      ...listRepositoryOperations(of, more),
      ...listCiOperations(of, more),
    ],
  })
  const url = await web.app.listen({ host: '127.0.0.1', port: 0 })
  return { url, ada, stranger, app, web, close: () => web.app.close() }
})

/** A clone with a CI file, whose remote is the coordinator. */
async function cloneWith(text: string, remote = `${coordinator().url}/ada/app.git`): Promise<string> {
  const folder = await tempDir()
  await execa('git', ['init', '--quiet', '--initial-branch', 'main', folder])
  await execa('git', ['-C', folder, 'remote', 'add', 'origin', remote])
  await writeFile(join(folder, '.gitlab-ci.yml'), text)
  return folder
}

interface Run extends OutsideFlags {
  /** The folder of kept copies. */
  cache?: string
}

async function compileIn(folder: string, { cache, ...flags }: Run = {}): Promise<CompileResult> {
  const before = process.env['XDG_CACHE_HOME']
  process.env['XDG_CACHE_HOME'] = cache ?? (await tempDir())
  const directory = await openWorkingDirectory(folder)
  const outside = openOutside(directory, flags)
  try {
    const options = { source: 'push', variables: new Map<string, string>(), configPath: '.gitlab-ci.yml' }
    const settings = await settingsFromServer(directory, outside, { ...options, ...flags })
    const context = await localEvent(directory, { ...options, ...settings })
    const sources = new LocalSources(directory, outside.files)
    const text = await readFile(join(folder, '.gitlab-ci.yml'), 'utf8')
    return (await inspect(text, sources, context)).result
  } finally {
    await outside.files.close()
    if (before === undefined) Reflect.deleteProperty(process.env, 'XDG_CACHE_HOME')
    else process.env['XDG_CACHE_HOME'] = before
  }
}

function jobsOf(result: CompileResult): string[] {
  return result.kind === 'plan' ? result.plan.jobs.map(({ name }) => name) : errorsOf(result)
}

function errorsOf(result: CompileResult): string[] {
  return result.kind === 'invalid' ? result.errors : [result.kind]
}

describe('includes from the server of the git remote', () => {
  const INCLUDES: [string, string[]][] = [
    ['include: {project: ada/library, file: ci/jobs.yml}', ['from-project']],
    ['include: {project: ada/library, file: [ci/more.yml], ref: main}', ['from-project']],
    ['include: {project: Ada/Library, file: ci/jobs.yml, ref: 1.0.0}', ['from-project']],
    ['include: {component: $CI_SERVER_FQDN/ada/library/deploy@1.0.0}', ['from-component']],
    ['include: {component: $CI_SERVER_FQDN/ada/library/deploy@1}', ['from-component']],
    [
      'include: {component: $CI_SERVER_FQDN/ada/library/deploy@~latest, inputs: {to: there}}',
      ['from-component'],
    ],
    ['include: {component: $CI_SERVER_FQDN/ada/library/deploy@beta}', ['from-component']],
    [
      'include: {project: ada/library, file: ci/jobs.yml, ref: none}',
      ['Project `ada/library` reference `none` does not exist!'],
    ],
    [
      'include: {project: ada/library, file: none.yml}',
      ['Project `ada/library` file `none.yml` does not exist!'],
    ],
  ]

  test.each(sampled(INCLUDES, 5))('%s', async (text, expected) => {
    const folder = await cloneWith(text)
    expect(jobsOf(await compileIn(folder, { token: coordinator().ada.token }))).toEqual(expected)
  })

  test('rules look for files of the other project', async () => {
    const exists = '{paths: [templates/*.yml], project: ada/library}'
    const folder = await cloneWith(`a: {script: x, rules: [{exists: ${exists}}]}`)
    expect(jobsOf(await compileIn(folder, { token: coordinator().ada.token }))).toEqual(['a'])
  })

  test('a private project without a token, and with one of a stranger, is refused', async () => {
    const folder = await cloneWith('include: {project: ada/library, file: ci/jobs.yml}')
    const refused =
      'Project `ada/library` not found or access denied! ' +
      'Make sure any includes in the pipeline configuration are correctly defined.'
    const hint = ' No token was sent: if the project is private, give one with --token or SWITCHYARD_TOKEN.'
    expect(errorsOf(await compileIn(folder))).toEqual([refused + hint])
    expect(errorsOf(await compileIn(folder, { token: coordinator().stranger.token }))).toEqual([refused])
  })

  test('a token of git is used where none is given', async () => {
    const folder = await cloneWith('include: {project: ada/library, file: ci/jobs.yml}')
    const helper = `!f() { echo username=ada; echo password=${coordinator().ada.token}; }; f`
    await execa('git', ['-C', folder, 'config', 'credential.helper', helper])
    expect(jobsOf(await compileIn(folder))).toEqual(['from-project'])
  })

  test('so is one in the address of the remote', async () => {
    const { url, ada } = coordinator()
    const remote = `${url.replace('://', `://ada:${ada.token}@`)}/ada/app.git`
    const folder = await cloneWith('include: {project: ada/library, file: ci/jobs.yml}', remote)
    expect(jobsOf(await compileIn(folder))).toEqual(['from-project'])
  })

  test('copies serve a run that is offline, and only the user can read them', async () => {
    const cache = await tempDir()
    const text = 'include: {project: ada/library, file: ci/jobs.yml}'
    const folder = await cloneWith(text)
    const { token } = coordinator().ada
    expect(errorsOf(await compileIn(folder, { cache, token, offline: true }))[0]).toMatch(
      /was not asked for ada\/library, because of --offline, and there is no copy of it/,
    )
    await compileIn(folder, { cache, token })
    expect(jobsOf(await compileIn(folder, { cache, offline: true }))).toEqual(['from-project'])
    const copies = join(cache, 'switchyard/includes')
    for (const name of await readdir(copies)) {
      const path = join(copies, name)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readFile(path, 'utf8')).not.toContain(token)
    }
  })

  test('a token is not sent without encryption to another machine', async () => {
    const folder = await cloneWith('include: {project: a/b, file: c.yml}', 'http://203.0.113.1/ada/app.git')
    expect(errorsOf(await compileIn(folder, { token: 'secret' }))).toEqual([
      'The token is not sent to http://203.0.113.1, because it would not be encrypted: use https',
    ])
  })

  test('a repository without a remote names what is missing', async () => {
    const folder = await cloneWith('include: {project: a/b, file: c.yml}', '/srv/git/app.git')
    expect(errorsOf(await compileIn(folder))[0]).toMatch(
      /add a git remote `origin`, or name the server with --server/,
    )
  })

  test('a server that does not respond is named', async () => {
    const folder = await cloneWith('include: {project: a/b, file: c.yml}', 'http://127.0.0.1:1/ada/app.git')
    expect(errorsOf(await compileIn(folder))[0]).toMatch(
      /^The server http:\/\/127\.0\.0\.1:1 could not be asked: it cannot be reached/,
    )
  })
})

describe('includes of addresses', () => {
  async function serve(text: string) {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end(text)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onFinished(() => void server.close())
    return { asked, port: (server.address() as AddressInfo).port }
  }

  test('are fetched, kept for as long as the file says, and used offline', async () => {
    const { asked, port } = await serve('remote: {script: x}')
    const cache = await tempDir()
    const text = `include: {remote: "http://127.0.0.1:${port}/a.yml", cache: 1 hour}`
    // The server of the project may be in the local network.
    const folder = await cloneWith(text, 'http://127.0.0.1:1/ada/app.git')
    expect(jobsOf(await compileIn(folder, { cache }))).toEqual(['remote'])
    expect(jobsOf(await compileIn(folder, { cache }))).toEqual(['remote'])
    expect(jobsOf(await compileIn(folder, { cache, offline: true }))).toEqual(['remote'])
    expect(asked).toEqual(['/a.yml'])
    expect(errorsOf(await compileIn(folder, { offline: true }))[0]).toMatch(
      /could not be fetched because of --offline, and there is no copy of it: run once without --offline!$/,
    )
  })

  test('in the local network are refused', async () => {
    const { asked, port } = await serve('remote: {script: x}')
    const folder = await cloneWith(
      `include: "http://127.0.0.1:${port}/a.yml"`,
      'git@ci.example.com:ada/app.git',
    )
    expect(errorsOf(await compileIn(folder))[0]).toMatch(/could not be fetched because/)
    expect(asked).toEqual([])
  })
})

test('variables of the server count on request, without protected ones on other branches', async () => {
  const { ada, app, web } = coordinator()
  const variables = [
    { key: 'PLAIN', value: 'yes' },
    { key: 'GUARDED', value: 'yes', protected: true },
    { key: 'SECRET', value: 'hunter2hunter2', masked: true },
  ]
  for (const variable of variables) await web.call(ada, `POST /projects/${app.id}/variables`, variable)
  const rules = (name: string) => `{script: x, rules: [{if: '$${name} == "yes"'}]}`
  const folder = await cloneWith(
    `plain: ${rules('PLAIN')}\nguarded: ${rules('GUARDED')}\nalways: {script: x, variables: {A: b}}`,
  )
  const { token } = ada
  expect(jobsOf(await compileIn(folder, { token }))).toEqual(['always'])
  expect(jobsOf(await compileIn(folder, { token, serverVariables: true }))).toEqual([
    'plain',
    'guarded',
    'always',
  ])
  expect(jobsOf(await compileIn(folder, { token, serverVariables: true, offline: true }))).toEqual(['always'])
  await execa('git', ['-C', folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/other'])
  expect(jobsOf(await compileIn(folder, { token, serverVariables: true }))).toEqual(['plain', 'always'])
})

test.each([
  ['https://ci.example.com/group/app.git', 'https://ci.example.com/'],
  ['https://oauth2:secret@ci.example.com:8443/group/app.git', 'https://ci.example.com:8443/'],
  ['git@ci.example.com:group/app.git', 'https://ci.example.com/'],
  ['ssh://git@ci.example.com:2222/group/app.git', 'https://ci.example.com/'],
  ['http://127.0.0.1:8929/group/app.git', 'http://127.0.0.1:8929/'],
  ['/srv/git/app.git', undefined],
  ['../app', undefined],
  [undefined, undefined],
])('the server of the remote %s is %s', (remote, server) => {
  expect(serverOfRemote(remote)?.href).toBe(server)
})

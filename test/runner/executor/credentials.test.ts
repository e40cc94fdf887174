import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { parseAuthConfig } from '../../../src/runner/executor/docker/credentials/auth-config.js'
import { credentialSources } from '../../../src/runner/executor/docker/credentials/credential-sources.js'
import { findCredentials } from '../../../src/runner/executor/docker/credentials/find-credentials.js'
import {
  registryPathOf,
  registryPaths,
} from '../../../src/runner/executor/docker/credentials/registry-path.js'
import type { ExecutorJob } from '../../../src/runner/executor/executor.js'
import { secretsOf } from '../../../src/runner/variables/job-variables.js'
import { jobPayload } from '../../support/job-payload.js'
import { tempDir } from '../../support/temp-dir.js'

const basic = (username: string, password = 'secret') => ({
  auth: Buffer.from(`${username}:${password}`).toString('base64'),
})
const auths = (entries: Record<string, object>) => JSON.stringify({ auths: entries })

/** What is found for an image, and what the log says; nothing but what is given here is looked at. */
async function find(
  image: string,
  given: {
    job?: Pick<ExecutorJob, 'authConfig' | 'credentials'>
    settings?: string
    environment?: NodeJS.ProcessEnv
  },
) {
  const warnings: string[] = []
  const log = { warning: (text: string) => void warnings.push(text) }
  const environment = { HOME: await tempDir(), ...given.environment }
  const sources = await credentialSources(given.job ?? {}, { authConfig: given.settings }, log, environment)
  const found = await findCredentials(sources, image, log)
  return { warnings, found, user: found?.auth.username, source: found?.source }
}

test.each([
  ['alpine', ['docker.io/library/alpine', 'docker.io/library', 'docker.io']],
  ['group/app:1', ['docker.io/group/app', 'docker.io/group', 'docker.io']],
  [
    'Host.example:5000/a/b/img:1',
    ['host.example:5000/a/b/img', 'host.example:5000/a/b', 'host.example:5000/a', 'host.example:5000'],
  ],
  ['localhost/img@sha256:00', ['localhost/img', 'localhost']],
  ['index.docker.io/alpine:3', ['docker.io/library/alpine', 'docker.io/library', 'docker.io']],
])('credentials for %s are searched at %j', (image, paths) => {
  expect(registryPaths(image)).toEqual(paths)
})

test.each([
  ['https://index.docker.io/v1/', 'docker.io'],
  ['registry-1.docker.io', 'docker.io'],
  ['https://Host.example/v2', 'host.example'],
  ['host:5000/Group/', 'host:5000/Group'],
])('the key %s stands for %s', (key, path) => {
  expect(registryPathOf(key)).toBe(path)
})

describe('registry credentials', () => {
  test('of the longest matching path are used, from any source', async () => {
    const job = {
      authConfig: auths({ 'host.example': basic('wide') }),
      credentials: [
        { type: 'registry', url: 'host.example/group', username: 'narrow', password: 'secret' },
        { type: 'other', url: 'host.example/group/app', username: 'never', password: 'secret' },
      ],
    }
    expect((await find('host.example/group/app:1', { job })).user).toBe('narrow')
    expect((await find('host.example/other:1', { job })).user).toBe('wide')
    expect((await find('elsewhere.example/app:1', { job })).found).toBeUndefined()
  })

  test('are taken from the job, the runner, its environment, its files and the coordinator, in this order', async () => {
    const home = await tempDir()
    await mkdir(join(home, '.docker'))
    await writeFile(join(home, '.docker/config.json'), auths({ 'host.example': basic('file') }))
    const entry = (name: string) => auths({ 'host.example': basic(name) })
    const credentials = [{ type: 'registry', url: 'host.example', username: 'payload', password: 'secret' }]
    const all = {
      job: { authConfig: entry('job'), credentials },
      settings: entry('settings'),
      environment: { HOME: home, DOCKER_AUTH_CONFIG: entry('environment') },
    }
    const image = 'host.example/app:1'
    const found = [
      await find(image, all),
      await find(image, { ...all, job: { credentials } }),
      await find(image, { job: { credentials }, environment: all.environment }),
      await find(image, { job: { credentials }, environment: { HOME: home } }),
      await find(image, { job: { credentials } }),
    ]
    expect(found.map(({ user, source }) => [user, source])).toEqual([
      ['job', '$DOCKER_AUTH_CONFIG'],
      ['settings', '$DOCKER_AUTH_CONFIG'],
      ['environment', '$DOCKER_AUTH_CONFIG'],
      ['file', join(home, '.docker/config.json')],
      ['payload', 'job payload (GitLab Registry)'],
    ])
    expect(found.map(({ found: credentials }) => credentials?.givenBy)).toEqual([
      'job',
      'runner',
      'runner',
      'runner',
      'job',
    ])
  })

  test('are read from the older file and from DOCKER_CONFIG', async () => {
    const [home, folder] = [await tempDir(), await tempDir()]
    await writeFile(join(home, '.dockercfg'), JSON.stringify({ 'host.example': basic('older') }))
    const image = 'host.example/app:1'
    expect((await find(image, { environment: { HOME: home } })).user).toBe('older')
    await writeFile(
      join(folder, 'config.json'),
      auths({ 'host.example': { username: 'named', password: 'x' } }),
    )
    expect((await find(image, { environment: { HOME: home, DOCKER_CONFIG: folder } })).user).toBe('named')
  })

  test.each([
    ['{', 'it is not valid JSON'],
    ['[]', 'it is not a JSON object'],
    [
      auths({ 'host.example': { auth: 'c2VjcmV0' } }),
      'the "auth" of "host.example" is not name:password in base64',
    ],
    ['{"credsStore":"../../bin/sh"}', '"credsStore" must hold names of programs without a path'],
    [
      '{"credHelpers":{"host.example":"/bin/sh"}}',
      '"credHelpers" must hold names of programs without a path',
    ],
  ])('that cannot be read (%s) are a warning, and others are used', async (authConfig, problem) => {
    const settings = auths({ 'host.example': basic('settings') })
    const { user, warnings } = await find('host.example/app:1', { job: { authConfig }, settings })
    expect(user).toBe('settings')
    expect(warnings).toEqual([`The credentials in $DOCKER_AUTH_CONFIG are not used: ${problem}`])
  })

  test('are masked in job logs, raw and encoded', () => {
    const payload = jobPayload({
      variables: [
        { key: 'DOCKER_AUTH_CONFIG', value: auths({ a: basic('u', 'pass:word'), b: { password: 'other' } }) },
      ],
      credentials: [{ type: 'registry', url: 'a', username: 'u', password: 'of-the-coordinator' }],
    })
    const secrets = secretsOf(payload)
    for (const secret of ['pass:word', basic('u', 'pass:word').auth, 'other', 'of-the-coordinator']) {
      expect(secrets).toContain(secret)
    }
  })
})

describe('credential helper', () => {
  /** A folder for the PATH with `docker-credential-<name>`, which responds to `get` and `list` as given. */
  async function helper(name: string, script: string): Promise<NodeJS.ProcessEnv> {
    const folder = await tempDir()
    const file = join(folder, `docker-credential-${name}`)
    await writeFile(file, `#!/bin/sh\n${script}\n`)
    await chmod(file, 0o755)
    return { PATH: `${folder}:${process.env['PATH'] ?? ''}` }
  }

  test('is called for the registry of its setting', async () => {
    const environment = await helper(
      'cloud',
      '[ "$1" = get ] && server=$(cat) && echo "{\\"Username\\":\\"of $server\\",\\"Secret\\":\\"s\\"}"',
    )
    const authConfig = JSON.stringify({ credHelpers: { 'host.example': 'cloud' } })
    const { found, warnings } = await find('host.example/app:1', { settings: authConfig, environment })
    expect(warnings).toEqual([])
    expect(found?.auth).toEqual({ username: 'of host.example', password: 's', serveraddress: 'host.example' })
  })

  test('gets the environment variables that it needs, but no runner token', async () => {
    const environment = await helper('env', `env | cut -d = -f 1 | tr '\\n' ' ' >&2; exit 1`)
    const { warnings } = await find('host.example/app:1', {
      settings: JSON.stringify({ credHelpers: { 'host.example': 'env' } }),
      environment: { ...environment, AWS_REGION: 'eu-west-1', RUNNER_TOKEN: 'glrt-1', CI_SERVER_TOKEN: 'x' },
    })
    expect(warnings[0]).toContain('AWS_REGION')
    expect(warnings[0]).not.toContain('TOKEN')
  })

  test('for all registries is called with the registry address and may return a token', async () => {
    const environment = await helper(
      'store',
      `if [ "$1" = list ]; then echo '{"https://index.docker.io/v1/":"me"}'; exit; fi
       server=$(cat); [ "$server" = https://index.docker.io/v1/ ] && echo '{"Username":"<token>","Secret":"t"}'`,
    )
    const authConfig = JSON.stringify({ credsStore: 'store', auths: { 'https://index.docker.io/v1/': {} } })
    const { found } = await find('alpine', { settings: authConfig, environment })
    expect(found?.auth).toEqual({ identitytoken: 't', serveraddress: 'docker.io' })
  })

  test.each([
    ['knows nothing', 'echo "credentials not found in native keychain"; exit 1', undefined],
    ['fails', 'echo "the vault is sealed" >&2; exit 3', 'the vault is sealed'],
    ['returns nonsense', 'echo hello', 'returned something that is not a JSON object'],
    ['is not there', undefined, 'ENOENT'],
  ])('that %s falls back to the next source', async (_, script, problem) => {
    const environment = script === undefined ? {} : await helper('broken', script)
    const { user, warnings } = await find('host.example/app:1', {
      job: {
        credentials: [{ type: 'registry', url: 'host.example', username: 'payload', password: 'secret' }],
      },
      settings: JSON.stringify({ credsStore: 'broken' }),
      environment,
    })
    expect(user).toBe('payload')
    expect(warnings).toHaveLength(problem === undefined ? 0 : 1)
    if (problem !== undefined) expect(warnings[0]).toContain(problem)
  })
})

test('passwords with colons and padding are decoded completely', () => {
  const padded = Buffer.from('user:pass:word\0\0').toString('base64')
  expect(parseAuthConfig(auths({ a: { auth: padded } })).auths.get('a')).toEqual({
    username: 'user',
    password: 'pass:word',
  })
})

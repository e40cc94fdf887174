import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { credentialSources } from '../../../src/runner/executor/docker/credentials/credential-sources.js'
import { findCredentials } from '../../../src/runner/executor/docker/credentials/find-credentials.js'
import { tempDir } from '../../support/temp-dir.js'

/** A `docker-credential-trap` of the host that creates a file when it is started. */
async function trap() {
  const folder = await tempDir()
  const mark = join(folder, 'started')
  const program = join(folder, 'docker-credential-trap')
  await writeFile(program, `#!/bin/sh\ntouch ${mark}\necho '{"Username":"host","Secret":"s"}'\n`)
  await chmod(program, 0o755)
  const environment = { HOME: folder, PATH: `${folder}:${process.env['PATH'] ?? ''}` }
  return { environment, isStarted: () => existsSync(mark) }
}

async function find(authConfig: { job?: string; runner?: string }, environment: NodeJS.ProcessEnv) {
  const warnings: string[] = []
  const log = { warning: (text: string) => void warnings.push(text) }
  const settings = { authConfig: authConfig.runner }
  const job = authConfig.job === undefined ? {} : { authConfig: authConfig.job }
  const sources = await credentialSources(job, settings, log, environment)
  return { found: await findCredentials(sources, 'host.example/app:1', log), warnings }
}

test.each([
  ['credHelpers', { credHelpers: { 'host.example': 'trap' } }],
  ['credsStore', { credsStore: 'trap' }],
])('DOCKER_AUTH_CONFIG of a job starts no credential helper of the host (%s)', async (_, config) => {
  const { environment, isStarted } = await trap()
  const auths = { 'host.example': { username: 'job', password: 'p' } }
  const { found, warnings } = await find({ job: JSON.stringify({ ...config, auths }) }, environment)
  expect(isStarted()).toBe(false)
  expect(found?.auth.username).toBe('job')
  expect(warnings).toEqual([
    '"credHelpers" and "credsStore" in $DOCKER_AUTH_CONFIG of the job are ignored: only the settings of the runner may name credential helpers',
  ])
})

test('the same configuration in the settings of the runner starts its credential helper', async () => {
  const { environment, isStarted } = await trap()
  const runner = JSON.stringify({ credHelpers: { 'host.example': 'trap' } })
  const { found, warnings } = await find({ runner }, environment)
  expect(isStarted()).toBe(true)
  expect(found).toMatchObject({ auth: { username: 'host' }, givenBy: 'runner' })
  expect(warnings).toEqual([])
})

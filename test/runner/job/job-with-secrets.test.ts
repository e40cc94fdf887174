import { expect, test } from 'vitest'

import type { JobPayload } from '../../../src/protocol/job-payload.js'
import type { RunnerRegistration } from '../../../src/runner/config/settings.js'
import { jobPayload } from '../../support/job-payload.js'
import { runnerUnderTest } from '../../support/running-runner.js'
import { VaultServer } from '../../support/vault-server.js'

/** The server of these tests is on loopback. */
const LOCAL_VAULT: { registration: Partial<RunnerRegistration> } = {
  registration: {
    allowedLocalHosts: [{ kind: 'network', address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
  },
}
const SECRET = 'correct-horse-battery'

async function vaultWithSecret(): Promise<VaultServer> {
  const vault = await VaultServer.start((jwt) => jwt === 'signed-token')
  vault.contents.set('kv/data/db', { data: { data: { password: SECRET } } })
  return vault
}

function secretsIn(vault: VaultServer, field = 'password'): JobPayload['secrets'] {
  const server = { url: vault.url, auth: { name: 'jwt', path: 'jwt', data: { jwt: '$ID_TOKEN' } } }
  const place = { server, engine: { name: 'kv-v2', path: 'kv' }, path: 'db', field }
  return { DB_FILE: { vault: place }, DB_PASSWORD: { file: false, vault: place } }
}

const variables = [{ key: 'ID_TOKEN', value: 'signed-token', masked: true }]

test('a job gets its secrets, and its log does not contain them', async () => {
  const { coordinator } = await runnerUnderTest(LOCAL_VAULT)
  const commands = ['test "$DB_PASSWORD" = "$(cat $DB_FILE)" && echo same', 'echo "it is $DB_PASSWORD"']
  coordinator.offer(
    jobPayload({
      variables,
      secrets: secretsIn(await vaultWithSecret()),
      steps: [{ name: 'script', script: commands }],
    }),
  )
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)

  const trace = coordinator.trace(124)
  expect(trace).toMatch(
    /Running with switchyard-runner[^]*section_start:\d+:resolve_secrets[^]*prepare_executor/,
  )
  expect(trace.match(/Running with/g)).toHaveLength(1)
  expect(trace).toContain('Resolving secret "DB_FILE"...')
  expect(trace).toContain('\nsame\n')
  expect(trace).toContain('\nit is [MASKED]\n')
  expect(trace).not.toContain(SECRET)
  expect(coordinator.finalUpdate(124)).toMatchObject({ state: 'success' })
})

test('a job whose secret cannot be fetched does not start', async () => {
  const { coordinator, executor } = await runnerUnderTest(LOCAL_VAULT)
  coordinator.offer(jobPayload({ variables, secrets: secretsIn(await vaultWithSecret(), 'none') }))
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)

  expect(coordinator.trace(124)).toContain(
    'Job failed (system failure): Vault has no field "none" at kv/data/db',
  )
  expect(coordinator.finalUpdate(124)).toMatchObject({
    state: 'failed',
    failure_reason: 'runner_system_failure',
  })
  expect(executor.cleanedUp).toBe(0)
})

test('a job with an unsupported secrets provider fails before it starts', async () => {
  const { coordinator, executor } = await runnerUnderTest()
  const server = { url: 'https://a.vault.example', client_id: 'c', tenant_id: 't', jwt: '$ID_TOKEN' }
  const vault = await vaultWithSecret()
  const secrets = { ...secretsIn(vault), KEY: { azure_key_vault: { name: 'key', server } } }
  const features = { failure_reasons: ['runner_unsupported'] }
  coordinator.offer(jobPayload({ variables, secrets, features }))
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)

  expect(coordinator.trace(124)).toContain(
    'Job failed: The secret "KEY" is in azure_key_vault, but this runner supports "vault" only',
  )
  expect(coordinator.finalUpdate(124)).toMatchObject({
    state: 'failed',
    failure_reason: 'runner_unsupported',
  })
  expect(executor.cleanedUp).toBe(0)
  expect(vault.requests).toEqual([])
})

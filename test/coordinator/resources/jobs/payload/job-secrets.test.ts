import { describe, expect, test } from 'vitest'

import type { ConfigData } from '../../../../../src/ci-config/plan.js'
import { jobSecrets } from '../../../../../src/coordinator/resources/jobs/payload/job-secrets.js'
import { facts } from './payload-facts.js'

const SERVER = { key: 'VAULT_SERVER_URL', value: 'https://vault.example' }

function secretOf(written: ConfigData, variables = [SERVER]) {
  const options = { ...facts.job.options, idTokens: { VAULT_TOKEN: { aud: ['a'] } }, secrets: { S: written } }
  return jobSecrets({ options }, variables)?.S
}

test('a job without secrets has none', () => {
  expect(jobSecrets(facts.job, [SERVER])).toBeUndefined()
})

describe('where a secret lies', () => {
  test.each<[ConfigData, object]>([
    [
      'production/db/password',
      { engine: { name: 'kv-v2', path: 'kv-v2' }, path: 'production/db', field: 'password' },
    ],
    ['db/password@ops', { engine: { name: 'kv-v2', path: 'ops' }, path: 'db', field: 'password' }],
    [
      { engine: { name: 'kv-v1', path: 'old' }, path: 'db', field: 'user' },
      { engine: { name: 'kv-v1', path: 'old' }, path: 'db', field: 'user' },
    ],
    [
      { path: 'db', field: 'user' },
      { engine: { name: 'kv-v2', path: 'kv-v2' }, path: 'db', field: 'user' },
    ],
  ])('%j', (vault, place) => {
    expect(secretOf({ vault })?.vault).toMatchObject(place)
  })
})

test('the server, and the login with the token of the job', () => {
  expect(secretOf({ vault: 'a/b' })).toMatchObject({
    file: true,
    vault: {
      server: {
        url: 'https://vault.example',
        auth: { name: 'jwt', path: 'jwt', data: { jwt: '$VAULT_TOKEN' } },
      },
    },
  })
})

test('variables name another login, role and namespace; the file its own token and form', () => {
  const variables = [
    SERVER,
    { key: 'VAULT_AUTH_PATH', value: 'ci' },
    { key: 'VAULT_AUTH_ROLE', value: 'builder' },
    { key: 'VAULT_NAMESPACE', value: 'team' },
  ]
  expect(secretOf({ vault: 'a/b', token: '$OTHER', file: false }, variables)).toMatchObject({
    file: false,
    vault: {
      server: {
        namespace: 'team',
        auth: { name: 'jwt', path: 'ci', data: { jwt: '$OTHER', role: 'builder' } },
      },
    },
  })
})

test('without a server there is nothing to ask', () => {
  expect(() => secretOf({ vault: 'a/b' }, [])).toThrow('VAULT_SERVER_URL has to hold the address')
})

import { describe, expect, test } from 'vitest'

import type { ConfigData } from '../../../../../src/ci-config/plan.js'
import { jobSecrets } from '../../../../../src/coordinator/ci/jobs/payload/job-secrets.js'
import { facts } from './payload-facts.js'

const SERVER = { key: 'VAULT_SERVER_URL', value: 'https://vault.example' }

function secretOf(written: ConfigData, variables = [SERVER]) {
  const options = { ...facts.job.options, idTokens: { VAULT_TOKEN: { aud: ['a'] } }, secrets: { S: written } }
  return jobSecrets({ options }, variables)?.S
}

test('a job without secrets has none', () => {
  expect(jobSecrets(facts.job, [SERVER])).toBeUndefined()
})

describe('location of a secret', () => {
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

describe('secrets of other providers, with the server configured by variables', () => {
  const variables = Object.entries({
    AZURE_KEY_VAULT_SERVER_URL: 'https://a.vault.example',
    AZURE_CLIENT_ID: 'client',
    AZURE_TENANT_ID: 'tenant',
    GCP_PROJECT_NUMBER: '1234',
    GCP_WORKLOAD_IDENTITY_FEDERATION_POOL_ID: 'pool',
    GCP_WORKLOAD_IDENTITY_FEDERATION_PROVIDER_ID: 'provider',
    AWS_REGION: 'eu-west-1',
    AWS_ROLE_ARN: 'arn:role',
    AKEYLESS_ACCESS_ID: 'p-1',
  }).map(([key, value]) => ({ key, value }))

  test.each<[string, ConfigData, object]>([
    [
      'azure_key_vault',
      { name: 'n', version: 'v' },
      {
        name: 'n',
        version: 'v',
        server: {
          url: 'https://a.vault.example',
          client_id: 'client',
          tenant_id: 'tenant',
          jwt: '$VAULT_TOKEN',
        },
      },
    ],
    [
      'gcp_secret_manager',
      { name: 'n', version: 3 },
      {
        name: 'n',
        version: '3',
        server: {
          project_number: '1234',
          workload_identity_federation_pool_id: 'pool',
          workload_identity_federation_provider_id: 'provider',
          jwt: '$VAULT_TOKEN',
        },
      },
    ],
    [
      'aws_secrets_manager',
      'db/password#user',
      {
        secret_id: 'db/password',
        field: 'user',
        server: { region: 'eu-west-1', role_arn: 'arn:role', jwt: '$VAULT_TOKEN' },
      },
    ],
    [
      'aws_secrets_manager',
      { secret_id: 's', version_stage: 'AWSPREVIOUS', region: 'us-east-1' },
      {
        secret_id: 's',
        version_stage: 'AWSPREVIOUS',
        region: 'us-east-1',
        server: { region: 'eu-west-1', role_arn: 'arn:role', jwt: '$VAULT_TOKEN' },
      },
    ],
  ])('%s: %j', (provider, written, place) => {
    expect(secretOf({ [provider]: written }, variables)).toEqual({ file: true, [provider]: place })
  })

  test('akeyless', () => {
    expect(secretOf({ akeyless: { name: 'n' }, token: '$T' }, variables)?.akeyless).toMatchObject({
      name: 'n',
      server: {
        access_id: 'p-1',
        akeyless_api_url: 'https://api.akeyless.io',
        akeyless_access_type: 'jwt',
        jwt: '$T',
      },
    })
  })
})

describe('without a server there is nothing to ask, and the message names the variable', () => {
  test.each<[ConfigData, string]>([
    [{ vault: 'a/b' }, 'The secret "S" uses vault, which requires the CI variable VAULT_SERVER_URL'],
    [{ azure_key_vault: { name: 'n' } }, 'requires the CI variable AZURE_KEY_VAULT_SERVER_URL'],
    [{ gcp_secret_manager: { name: 'n' } }, 'requires the CI variable GCP_PROJECT_NUMBER'],
    [{ aws_secrets_manager: 'n' }, 'requires the CI variable AWS_REGION'],
    [{ akeyless: { name: 'n' } }, 'requires the CI variable AKEYLESS_ACCESS_ID'],
    [
      { gitlab_secrets_manager: { name: 'n' } },
      'The secret "S" uses gitlab_secrets_manager, which this server does not support',
    ],
  ])('%j', (written, message) => {
    expect(() => secretOf(written, [])).toThrow(message)
  })
})

import { describe, expect, test } from 'vitest'

import { EgressRules } from '../../../src/egress/egress-rules.js'
import type { JobSecret } from '../../../src/protocol/job-secrets.js'
import { resolveSecrets } from '../../../src/runner/secrets/resolve-secrets.js'
import { VaultServer } from '../../support/vault-server.js'

interface SecretRequest {
  engine?: string
  path?: string
  field?: string
  file?: boolean
  namespace?: string
  auth?: string
}

function secretIn(vault: VaultServer, request: SecretRequest = {}): JobSecret {
  const {
    engine = 'kv-v2',
    path = 'production/db',
    field = 'password',
    file,
    namespace,
    auth = 'jwt',
  } = request
  return {
    ...(file !== undefined && { file }),
    vault: {
      server: {
        url: vault.url,
        ...(namespace && { namespace }),
        auth: { name: auth, path: 'jwt', data: { jwt: '$TOKEN', role: 'builder' } },
      },
      engine: { name: engine, path: 'ops' },
      path,
      field,
    },
  }
}

function resolve(secrets: Record<string, JobSecret>, attempts = 1) {
  return resolveSecrets({
    secrets,
    expand: (text) => text.replace('$TOKEN', 'signed').replace('$STAGE', 'production'),
    attempts,
    retryDelay: 1,
    egress: new EgressRules([{ kind: 'network', address: '127.0.0.1', prefix: 32, family: 'ipv4' }]),
    signal: new AbortController().signal,
    log: () => {},
  })
}

describe('Vault secret', () => {
  test('is read with the ID token of the job and becomes a masked file', async () => {
    const logins: unknown[] = []
    const vault = await VaultServer.start((jwt, role) => logins.push({ jwt, role }) > 0)
    vault.contents.set('ops/data/production/db', { data: { data: { password: 'x$TOKEN' } } })
    expect(await resolve({ DB: secretIn(vault, { path: '$STAGE/db' }) })).toEqual([
      { key: 'DB', value: 'x$TOKEN', public: false, masked: true, raw: true, file: true },
    ])
    expect(logins).toEqual([{ jwt: 'signed', role: 'builder' }])
  })

  test.each<[string, string, unknown, string]>([
    ['kv-v1', 'ops/production/db', { data: { password: 'one' } }, 'one'],
    ['generic', 'ops/production/db', { data: { password: 'two' } }, 'two'],
    ['kv-v2', 'ops/data/production/db', { data: { data: { password: { a: [1] } } } }, '{"a":[1]}'],
  ])('of an engine %s is at %s', async (engine, place, content, value) => {
    const vault = await VaultServer.start()
    vault.contents.set(place, content)
    const [variable] = await resolve({ DB: secretIn(vault, { engine, file: false }) })
    expect(variable).toEqual({ key: 'DB', value, public: false, masked: true, raw: true })
  })

  test('uses one login for all secrets, in the given namespace', async () => {
    const vault = await VaultServer.start()
    vault.namespace = 'team'
    vault.contents.set('ops/data/production/db', { data: { data: { password: 'a', user: 'b' } } })
    const namespace = 'team'
    await resolve({ A: secretIn(vault, { namespace }), B: secretIn(vault, { namespace, field: 'user' }) })
    expect(vault.requests).toEqual([
      'POST auth/jwt/login',
      'GET ops/data/production/db',
      'GET ops/data/production/db',
    ])
  })

  test('is retried as often as the job allows, with the login', async () => {
    const vault = await VaultServer.start()
    vault.contents.set('ops/data/production/db', { data: { data: { password: 'a' } } })
    vault.failures = 2
    await expect(resolve({ A: secretIn(vault) }, 2)).rejects.toThrow(
      'returns 503 for auth/jwt/login: Vault is sealed',
    )
    vault.failures = 2
    expect(await resolve({ A: secretIn(vault) }, 3)).toHaveLength(1)
  })
})

describe('unavailable secret', () => {
  test.each<[string, SecretRequest, string]>([
    ['its path is wrong', { path: 'no/where' }, 'returns 404 for ops/data/no/where: no reason given'],
    ['its field is wrong', { field: 'pass' }, 'Vault has no field "pass" at ops/data/production/db'],
    ['its namespace is wrong', { namespace: 'x' }, 'returns 403 for auth/jwt/login: no such namespace: x'],
    ['its login is of another kind', { auth: 'ldap' }, 'Only the Vault login "jwt" is supported, not "ldap"'],
  ])('is reported when %s', async (_, request, problem) => {
    const vault = await VaultServer.start()
    vault.contents.set('ops/data/production/db', { data: { data: { password: 'a' } } })
    await expect(resolve({ A: secretIn(vault, request) }, 3)).rejects.toThrow(problem)
  })

  test('is reported without a retry when the login is rejected', async () => {
    const vault = await VaultServer.start(() => false)
    await expect(resolve({ A: secretIn(vault) }, 3)).rejects.toThrow('error validating token')
    expect(vault.requests).toHaveLength(1)
  })

  test('is reported when the server does not respond', async () => {
    const vault = await VaultServer.start()
    const secret = secretIn(vault)
    if (secret.vault) secret.vault.server.url = 'http://127.0.0.1:1'
    await expect(resolve({ A: secret })).rejects.toThrow('Vault at http://127.0.0.1:1 cannot be reached')
  })

  test('is reported for an unsupported provider before any secret is fetched', async () => {
    const vault = await VaultServer.start()
    const server = { access_id: 'a' }
    const elsewhere: JobSecret = { akeyless: { name: 'a', server }, file: true }
    await expect(resolve({ A: secretIn(vault), B: elsewhere })).rejects.toThrow(
      'The secret "B" is in akeyless, but this runner supports "vault" only',
    )
    expect(vault.requests).toEqual([])
  })
})

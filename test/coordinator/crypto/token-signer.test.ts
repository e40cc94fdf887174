import Fastify from 'fastify'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, onTestFinished, test } from 'vitest'

import { discoveryRoutes } from '../../../src/coordinator/accounts/oauth/openid/discovery.js'
import { TokenSigner } from '../../../src/coordinator/crypto/token-signer.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { EXTERNAL_URL, testSecrets } from '../support/test-app.js'

async function openSigners(open: OpenDatabase) {
  const { database } = await open()
  const secrets = testSecrets()
  const signer = () => new TokenSigner({ database, secrets, externalUrl: EXTERNAL_URL })
  return { database, signers: [signer(), signer()] as const }
}

describeOnDatabase('tokens of jobs', (open) => {
  test('are checked with the key that the coordinator shows', async () => {
    const { signers } = await openSigners(open)
    const [signer] = signers
    const token = await signer.sign({ sub: 'job', aud: 'vault' })
    const app = Fastify()
    onTestFinished(() => app.close())
    app.register(async (scope) => discoveryRoutes(signer)(scope))
    const discovery = await app.inject('/.well-known/openid-configuration')
    const { issuer, jwks_uri } = discovery.json<{ issuer: string; jwks_uri: string }>()
    expect(issuer).toBe(EXTERNAL_URL)
    const keys = (await app.inject(jwks_uri.slice(issuer.length))).json<{ keys: Record<string, string>[] }>()
    expect(Object.keys(keys.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    const checked = await jwtVerify(token, createLocalJWKSet(keys), { issuer, audience: 'vault' })
    expect(checked.payload.sub).toBe('job')
  })

  test('all coordinators of one store sign with one key, which is stored encrypted', async () => {
    const { database, signers } = await openSigners(open)
    const tokens = await Promise.all(signers.map((signer) => signer.sign({ sub: 'job' })))
    const ids = tokens.map((token) => decodeProtectedHeader(token).kid)
    expect(new Set(ids).size).toBe(1)
    const rows = await database.selectFrom('instance_setting').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/kty\\*"|PRIVATE KEY/)
  })
})

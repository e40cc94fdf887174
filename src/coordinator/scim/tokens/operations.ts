import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { apiError, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import type { IdentityProviders } from '../../sessions/providers/identity-providers.js'
import { NewScimToken, ProviderOfToken, ScimToken } from './schema.js'
import { createScimToken, deleteScimToken, listScimTokens, type ScimTokenRow } from './store.js'

interface ScimTokenDeps {
  database: Database
  providers: IdentityProviders
}

/** Tokens with which identity providers manage accounts. */
export function scimTokenOperations({ database, providers }: ScimTokenDeps): Operation[] {
  return [
    operation('GET /scim_tokens', {
      summary: 'List SCIM tokens of identity providers',
      access: 'administrator',
      responses: { 200: Type.Array(ScimToken) },
      run: async () => (await listScimTokens(database)).map(presentToken),
    }),
    operation('POST /scim_tokens/:provider', {
      summary: 'Create the SCIM token of an identity provider, in place of the one before',
      access: 'administrator',
      params: ProviderOfToken,
      needsConfirmation: true,
      responses: { 201: NewScimToken },
      audit: ({ params }) => ({ custom_message: `Created the SCIM token of ${String(params['provider'])}` }),
      run: async ({ params: { provider }, user }) => {
        if (!providers.find(provider)) throw apiError('scim_provider_unknown', { provider })
        const { token, row } = await createScimToken(database, provider, user.id)
        return respond(201, { ...presentToken(row), token })
      },
    }),
    operation('DELETE /scim_tokens/:provider', {
      summary: 'Revoke the SCIM token of an identity provider',
      access: 'administrator',
      params: ProviderOfToken,
      responses: { 204: NoBody },
      audit: ({ params }) => ({ custom_message: `Revoked the SCIM token of ${String(params['provider'])}` }),
      run: async ({ params }) => {
        if (!(await deleteScimToken(database, params.provider))) throw notFound('SCIM token')
        return respond(204)
      },
    }),
  ]
}

function presentToken({
  provider,
  created_by_id,
  created_at,
  last_used_at,
}: ScimTokenRow): Static<typeof ScimToken> {
  return {
    provider,
    created_by_id,
    created_at: new Date(created_at).toISOString(),
    last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  }
}

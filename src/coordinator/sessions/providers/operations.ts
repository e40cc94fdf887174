import { Type } from 'typebox'

import { identitiesOf, unlinkIdentity } from '../../accounts/users/identities.js'
import type { Database } from '../../database/connect.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { hasPassword } from '../../database/stores/password-store.js'
import { inTransaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import type { IdentityProviders } from './identity-providers.js'
import { isManaged } from './managed-accounts.js'
import { OwnIdentity, ProviderName } from './schema.js'

interface IdentityDeps {
  database: Database
  providers: IdentityProviders
}

/** Identities of the current user at the providers of the settings. */
export function ownIdentityOperations({ database, providers }: IdentityDeps): Operation[] {
  return [
    operation('GET /user/identities', {
      summary: 'List identity providers, and the identities of the current user there',
      access: 'user',
      responses: { 200: Type.Array(OwnIdentity) },
      run: async ({ user }) => {
        const identities = await identitiesOf(database, user.id)
        return providers.all.map(({ name, label }) => ({
          provider: name,
          label,
          extern_uid: identities.get(name) ?? null,
        }))
      },
    }),
    operation('POST /user/identities/:provider/link', {
      summary: 'Check that the current user may link an identity, before the form of the page is sent',
      access: 'user',
      params: ProviderName,
      needsConfirmation: true,
      changesNothing: true,
      responses: { 204: NoBody },
      run: ({ params, caller }) => {
        if (caller.kind !== 'user' || !caller.session) throw apiError('session_required')
        if (!providers.find(params.provider)) throw notFound('Identity provider')
        return Promise.resolve(respond(204))
      },
    }),
    operation('DELETE /user/identities/:provider', {
      summary: 'Unlink an identity of the current user, with the memberships that it has given',
      access: 'user',
      params: ProviderName,
      needsConfirmation: true,
      responses: { 204: NoBody },
      run: async ({ user, params }) => {
        await unlink({ database, providers }, user.id, params.provider)
        return respond(204)
      },
    }),
  ]
}

/** Throws 404 without such an identity, and 409 for the last way to sign in with a browser, and for an account that the
 * provider manages: its user could otherwise escape from being deactivated there. */
async function unlink(
  { database, providers }: IdentityDeps,
  userId: number,
  provider: string,
): Promise<void> {
  const { password_authentication_enabled_for_web: takesPasswords } = await effectiveSettings(
    database,
    'password_authentication_enabled_for_web',
  )
  await inTransaction(database, async (tx) => {
    if (await isManaged(tx, userId, provider)) throw apiError('identity_managed_by_scim', { provider })
    const keepsPassword = takesPasswords && (await hasPassword(tx, userId))
    if (!(await unlinkIdentity(tx, userId, provider))) throw notFound('Identity')
    const left = await identitiesOf(tx, userId)
    const hasOther = [...left.keys()].some((name) => providers.find(name) !== undefined)
    if (!keepsPassword && !hasOther) throw apiError('last_sign_in_method')
  })
}

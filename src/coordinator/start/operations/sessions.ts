import { twoFactorOperations } from '../../accounts/two-factor/operations.js'
import type { Operation } from '../../http/operation.js'
import { scimTokenOperations } from '../../scim/tokens/operations.js'
import { sessionOperations } from '../../sessions/operations.js'
import { ownIdentityOperations } from '../../sessions/providers/operations.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import type { Services } from '../services/services.js'

/** Browser sessions, sign-in links, identities, second factors and SCIM tokens. */
export function listSessionsOperations(
  { database, providers, secrets }: Services,
  deps: OperationListDeps,
): Operation[] {
  const { authenticator, externalUrl, guardOf } = deps
  return [
    ...sessionOperations({ database, authenticator, externalUrl, guardOf, secrets }),
    ...twoFactorOperations({ database, externalUrl, secrets }),
    ...ownIdentityOperations({ database, providers }),
    ...scimTokenOperations({ database, providers }),
  ]
}

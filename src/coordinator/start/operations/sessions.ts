import type { Operation } from '../../http/operation.js'
import { sessionOperations } from '../../sessions/operations.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import type { Services } from '../services/services.js'

/** Browser sessions and sign-in links. */
export function listSessionsOperations({ database }: Services, deps: OperationListDeps): Operation[] {
  const { authenticator, externalUrl, guardOf } = deps
  return sessionOperations({ database, authenticator, externalUrl, guardOf })
}

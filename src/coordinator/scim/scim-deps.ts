import type { Logger } from '../../lib/logger.js'
import type { StateDeps } from '../accounts/users/state/state-changes.js'
import type { Database } from '../database/connect.js'
import type { AuditEvent } from '../database/tables/audit-events.js'
import type { LoginGuard } from '../http/authentication/login-guard.js'
import type { IdentityProviders } from '../sessions/providers/identity-providers.js'
import type { IdentityProvider } from '../sessions/providers/provider.js'

/** Services of the endpoints for identity providers. */
export interface ScimDeps extends StateDeps {
  /** The URL that clients use, without a trailing slash. */
  externalUrl: string
  providers: IdentityProviders
  /** Limits the attempts with wrong tokens from one IP address. */
  guardOf: (address: string) => LoginGuard
  storeAuditEvent: (database: Database, event: AuditEvent) => Promise<void>
  logger: Logger
}

/** Who calls: the provider of the token. */
export interface ScimCaller {
  provider: Pick<IdentityProvider, 'name' | 'label' | 'rules'>
  address: string
  requestId: string
}

import type { Logger } from '../../lib/logger.js'
import type { SecretBox } from '../crypto/secret-box.js'
import type { Database } from '../database/connect.js'
import type { AuditEvent } from '../database/tables/audit-events.js'
import type { Authenticator } from '../http/authentication/authenticator.js'
import type { LoginGuard } from '../http/authentication/login-guard.js'
import type { UploadSpool } from '../http/parameters/upload-spool.js'
import type { IdentityProviders } from './providers/identity-providers.js'

/** Services of the pages on which users sign in and out. */
export interface SessionDeps {
  database: Database
  authenticator: Authenticator
  secrets: SecretBox
  spool: UploadSpool
  /** The URL that clients use, without a trailing slash. */
  externalUrl: string
  /** Limits the attempts to sign in from one IP address. */
  guardOf: (address: string) => LoginGuard
  storeAuditEvent: (database: Database, event: AuditEvent) => Promise<void>
  providers: IdentityProviders
  logger: Logger
}

import type { Database } from '../../../database/connect.js'
import type { Authenticator } from '../../../http/authentication/authenticator.js'
import type { LoginGuard } from '../../../http/authentication/login-guard.js'
import type { RecordAudit } from '../audit-grant.js'
import type { Client } from '../client.js'
import type { Given } from '../given.js'

/** A token request of an authenticated client. */
export interface GrantCall {
  client: Client
  given: Given
  /** Whether the client authenticated in the header instead of the body. */
  byHeader: boolean
  database: Database
  authenticator: Authenticator
  /** Rate limit of password attempts. */
  guard: LoginGuard
  recordAudit: RecordAudit
}

import type { Database } from '../../../database/connect.js'
import type { Authenticator } from '../../../http/authentication/authenticator.js'
import type { LoginGuard } from '../../../http/authentication/login-guard.js'
import type { RecordAudit } from '../audit-grant.js'
import type { Client } from '../client.js'
import type { Given } from '../given.js'

/** A client that asks for tokens, and has shown who it is. */
export interface GrantCall {
  client: Client
  given: Given
  /** Whether it showed who it is in the header, not in the body. */
  byHeader: boolean
  database: Database
  authenticator: Authenticator
  /** For the password of a user. */
  guard: LoginGuard
  recordAudit: RecordAudit
}

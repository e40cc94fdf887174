import type { SecretBox } from '../../crypto/secret-box.js'
import type { TokenSigner } from '../../crypto/token-signer.js'
import type { Database } from '../../database/connect.js'
import type { AuditEvent } from '../../database/tables/audit-events.js'
import type { Authenticator } from '../../http/authentication/authenticator.js'
import type { LoginGuard } from '../../http/authentication/login-guard.js'
import type { ReadSession } from '../../http/authentication/read-session.js'
import type { UploadSpool } from '../../http/parameters/upload-spool.js'
import type { RateLimits } from '../../http/rate-limits/rate-limits.js'

/** Services of the OAuth endpoints. */
export interface OauthDeps {
  database: Database
  authenticator: Authenticator
  rateLimits: RateLimits
  spool: UploadSpool
  secrets: SecretBox
  /** Reads the browser session of a request. */
  readSession: ReadSession
  /** Signs ID tokens; its issuer is also the base URL of the pages. */
  signer: Pick<TokenSigner, 'issuer' | 'sign'>
  /** Rate limit of password attempts from one IP address. */
  guardOf: (address: string) => LoginGuard
  storeAuditEvent: (database: Database, event: AuditEvent) => Promise<void>
}

import type { TokenSigner } from '../../crypto/token-signer.js'
import type { Database } from '../../database/connect.js'
import type { AuditEvent } from '../../database/tables/audit-events.js'
import type { Authenticator } from '../../http/authentication/authenticator.js'
import type { LoginGuard } from '../../http/authentication/login-guard.js'
import type { UploadSpool } from '../../http/parameters/upload-spool.js'
import type { RateLimits } from '../../http/rate-limits/rate-limits.js'

/** What the OAuth end points are made of. */
export interface OauthDeps {
  database: Database
  authenticator: Authenticator
  rateLimits: RateLimits
  spool: UploadSpool
  /** Signs id tokens; its issuer is the address of the pages too. */
  signer: Pick<TokenSigner, 'issuer' | 'sign'>
  /** For the passwords that come from an address. */
  guardOf: (address: string) => LoginGuard
  keepAuditEvent: (database: Database, event: AuditEvent) => Promise<void>
}

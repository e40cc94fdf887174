import { mailUnknownSignIn } from '../../accounts/users/links/account-mails.js'
import { SignIns } from '../../http/authentication/sign-ins.js'
import { TokenUses } from '../../http/authentication/token-uses.js'
import { createSharedCounts } from '../../http/rate-limits/shared-counts.js'
import { IdentityProviders } from '../../sessions/providers/identity-providers.js'
import type { Foundation } from './foundation.js'

export interface AccountServices {
  /** Last uses of tokens that are not written yet. */
  tokenUses: TokenUses
  signIns: SignIns
  /** Identity providers with which users sign in. */
  providers: IdentityProviders
}

export function createAccountServices({
  database,
  externalUrl,
  logger,
  settings,
}: Foundation): AccountServices {
  return {
    tokenUses: new TokenUses(database, logger),
    signIns: new SignIns(database, logger, { onUnknown: mailUnknownSignIn }),
    providers: new IdentityProviders(settings.signIn, externalUrl, createSharedCounts(database)),
  }
}

import type { Logger } from '../../../lib/logger.js'
import { mailUnknownSignIn } from '../../accounts/users/links/account-mails.js'
import { SignIns } from '../../http/authentication/sign-ins.js'
import { TokenUses } from '../../http/authentication/token-uses.js'
import { IdentityProviders } from '../../sessions/providers/identity-providers.js'
import { providerAddress, providersOverPlainHttp } from '../../sessions/providers/provider-address.js'
import type { ProviderSettings } from '../../sessions/providers/provider-settings.js'
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
  secrets,
  settings,
}: Foundation): AccountServices {
  warnOfPlainProviders(settings.signIn.providers, logger)
  return {
    tokenUses: new TokenUses(database, logger),
    signIns: new SignIns(database, logger, { onUnknown: mailUnknownSignIn }),
    providers: new IdentityProviders(settings.signIn, { database, secrets, externalUrl }),
  }
}

function warnOfPlainProviders(providers: readonly ProviderSettings[], logger: Logger): void {
  for (const provider of providersOverPlainHttp(providers)) {
    logger.warn(
      { provider: provider.name, address: providerAddress(provider) },
      'The address of an identity provider begins with http, so anybody on the network can sign in as its users: use https',
    )
  }
}

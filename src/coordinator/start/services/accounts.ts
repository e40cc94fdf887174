import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { openPasswordList, type PasswordList } from '../../accounts/users/known-passwords/password-list.js'
import { usePasswordList } from '../../accounts/users/known-passwords/refuse-known.js'
import { mailUnknownSignIn } from '../../accounts/users/links/account-mails.js'
import { SignIns } from '../../http/authentication/sign-ins.js'
import { TokenUses } from '../../http/authentication/token-uses.js'
import { createSharedCounts } from '../../http/rate-limits/shared-counts.js'
import { IdentityProviders } from '../../sessions/providers/identity-providers.js'
import { addressesOverPlainHttp } from '../../sessions/providers/provider-addresses.js'
import type { ProviderSettings } from '../../sessions/providers/provider-settings.js'
import { SettingsError } from '../config/setting-sources.js'
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
  if (settings.refusedPasswordsFile !== undefined) {
    usePasswordList(database, readPasswordList(settings.refusedPasswordsFile))
  }
  return {
    tokenUses: new TokenUses(database, logger),
    signIns: new SignIns(database, logger, { onUnknown: mailUnknownSignIn }),
    providers: new IdentityProviders(settings.signIn, {
      database,
      secrets,
      externalUrl,
      shared: createSharedCounts(database),
    }),
  }
}

function warnOfPlainProviders(providers: readonly ProviderSettings[], logger: Logger): void {
  for (const { name, address } of addressesOverPlainHttp(providers)) {
    logger.warn(
      { provider: name, server: address },
      'The address of an identity provider begins with http, so anybody on the network can sign in as its users: use https',
    )
  }
}

/** Throws `SettingsError` for a file that is no list of passwords. */
function readPasswordList(file: string): PasswordList {
  try {
    return openPasswordList(file)
  } catch (error) {
    const name = 'sign_in.refused_passwords_file'
    throw new SettingsError([`${name}: must be a file with passwords: ${messageOf(error)}`])
  }
}

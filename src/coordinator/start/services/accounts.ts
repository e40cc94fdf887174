import { messageOf } from '../../../lib/errors.js'
import { openPasswordList, type PasswordList } from '../../accounts/users/known-passwords/password-list.js'
import { usePasswordList } from '../../accounts/users/known-passwords/refuse-known.js'
import { mailUnknownSignIn } from '../../accounts/users/links/account-mails.js'
import { SignIns } from '../../http/authentication/sign-ins.js'
import { TokenUses } from '../../http/authentication/token-uses.js'
import { IdentityProviders } from '../../sessions/providers/identity-providers.js'
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
  settings,
}: Foundation): AccountServices {
  if (settings.refusedPasswordsFile !== undefined) {
    usePasswordList(database, readPasswordList(settings.refusedPasswordsFile))
  }
  return {
    tokenUses: new TokenUses(database, logger),
    signIns: new SignIns(database, logger, { onUnknown: mailUnknownSignIn }),
    providers: new IdentityProviders(settings.signIn, externalUrl),
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

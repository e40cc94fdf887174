import { mailUnknownSignIn } from '../../accounts/users/links/account-mails.js'
import { SignIns } from '../../http/authentication/sign-ins.js'
import { TokenUses } from '../../http/authentication/token-uses.js'
import type { Foundation } from './foundation.js'

export interface AccountServices {
  /** Last uses of tokens that are not written yet. */
  tokenUses: TokenUses
  signIns: SignIns
}

export function createAccountServices({ database, logger }: Foundation): AccountServices {
  return {
    tokenUses: new TokenUses(database, logger),
    signIns: new SignIns(database, logger, { onUnknown: mailUnknownSignIn }),
  }
}

import type { Operation } from '../../http/operation.js'
import { type AvatarDeps, avatarOperations } from './avatar.js'
import { belongingOperations } from './belonging-operations.js'
import { emailOperations } from './emails/operations.js'
import { followOperations } from './follow.js'
import { identityOperations } from './identities.js'
import { gpgKeyOperations } from './keys/gpg-key-operations.js'
import { type KeyDeps, sshKeyOperations } from './keys/ssh-key-operations.js'
import { userOperations } from './operations.js'
import { ownOperations } from './own-operations.js'
import { userRemovalOperations } from './removal/operations.js'
import type { RemovalDeps } from './removal/remove-user.js'
import type { StateDeps } from './state-changes.js'
import { userStateOperations } from './state-operations.js'
import { impersonationTokenOperations } from './tokens/impersonation-operations.js'
import { tokenOperations } from './tokens/operations.js'
import { resourceTokenOperations } from './tokens/resource-token-operations.js'

export type AccountDeps = KeyDeps & StateDeps & RemovalDeps & AvatarDeps

/** Everything about users and what they hold (API, A13 and H). */
export function accountOperations(deps: AccountDeps): Operation[] {
  return [
    ...userOperations(deps),
    ...userStateOperations(deps),
    ...userRemovalOperations(deps),
    ...ownOperations(deps),
    ...avatarOperations(deps),
    ...belongingOperations(deps),
    ...followOperations(deps),
    ...emailOperations(deps),
    ...identityOperations(deps),
    ...sshKeyOperations(deps),
    ...gpgKeyOperations(deps),
    ...tokenOperations(deps),
    ...impersonationTokenOperations(deps),
    ...resourceTokenOperations(deps),
  ]
}

import type { Operation } from '../../http/operation.js'
import { avatarOperations, type UserAvatarDeps } from './avatar.js'
import type { RemovalDeps } from './deletion/delete-user.js'
import { userRemovalOperations } from './deletion/operations.js'
import { emailOperations } from './emails/operations.js'
import { followOperations } from './follow.js'
import { identityOperations } from './identities.js'
import { gpgKeyOperations } from './keys/gpg-key-operations.js'
import { type KeyDeps, sshKeyOperations } from './keys/ssh-key-operations.js'
import { belongingOperations } from './memberships/operations.js'
import { userOperations } from './operations.js'
import { ownOperations } from './own/operations.js'
import { userStateOperations } from './state/operations.js'
import type { StateDeps } from './state/state-changes.js'
import { impersonationTokenOperations } from './tokens/impersonation-operations.js'
import { tokenOperations } from './tokens/operations.js'
import { resourceTokenOperations } from './tokens/resource-token-operations.js'

export type AccountDeps = KeyDeps & StateDeps & RemovalDeps & UserAvatarDeps

/** Operations on users and their data (API, A13 and H). */
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

import type { Repositories } from '../../../hosting/repositories/repositories.js'
import type { CodeOwnersDeps } from '../code-owners/find-code-owners.js'
import type { PresentDeps } from '../present.js'

/** What operations on approvals need: they find the code owners of a merge request that has none yet. */
export type ApprovalDeps = PresentDeps & CodeOwnersDeps & { repositories: Pick<Repositories, 'resolveRef'> }

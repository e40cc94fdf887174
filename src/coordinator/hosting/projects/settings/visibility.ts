import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type { Visibility } from '../../../database/tables/projects.js'
import { invalidRecord } from '../../../http/errors.js'
import type { Namespace } from '../store.js'

const OPENNESS: Record<Visibility, number> = { private: 0, internal: 1, public: 2 }

/** A project cannot be more visible than its group (API, C1); a personal namespace sets no limit. */
export function refuseTooOpen(visibility: Visibility, namespace: Namespace): void {
  if (namespace.kind === 'user' || OPENNESS[visibility] <= OPENNESS[namespace.visibility]) return
  throw invalidRecord({
    visibility_level: [`${visibility} is not allowed in a ${namespace.visibility} group.`],
  })
}

/** The visibility itself, or the next lower one that is not restricted; `private` if all are. */
export async function unrestricted(
  database: Database,
  visibility: Visibility,
  user: Pick<User, 'is_admin'>,
): Promise<Visibility> {
  if (user.is_admin) return visibility
  const { restricted_visibility_levels: restricted } = await effectiveSettings(
    database,
    'restricted_visibility_levels',
  )
  const lower = (['public', 'internal', 'private'] as const).filter((one) => !isMoreOpen(one, visibility))
  return lower.find((one) => !restricted.includes(one)) ?? 'private'
}

/** The visibility itself, or that of the group if it is lower. */
export function closed(visibility: Visibility, namespace: Namespace): Visibility {
  const isTooOpen = namespace.kind === 'group' && OPENNESS[visibility] > OPENNESS[namespace.visibility]
  return isTooOpen ? namespace.visibility : visibility
}

export function isMoreOpen(one: Visibility, other: Visibility): boolean {
  return OPENNESS[one] > OPENNESS[other]
}

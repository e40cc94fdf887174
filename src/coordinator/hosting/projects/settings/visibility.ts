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

/** The visibility itself, or that of the group if it is lower. */
export function closed(visibility: Visibility, namespace: Namespace): Visibility {
  const isTooOpen = namespace.kind === 'group' && OPENNESS[visibility] > OPENNESS[namespace.visibility]
  return isTooOpen ? namespace.visibility : visibility
}

export function isMoreOpen(one: Visibility, other: Visibility): boolean {
  return OPENNESS[one] > OPENNESS[other]
}

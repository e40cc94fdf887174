import { invalidRecord } from '../../http/errors.js'
import type { Namespace } from './store.js'
import type { Visibility } from './table.js'

const OPENNESS: Record<Visibility, number> = { private: 0, internal: 1, public: 2 }

/** A project cannot be more open than its group (API gaps, C1); a personal namespace sets no bound. */
export function refuseTooOpen(visibility: Visibility, namespace: Namespace): void {
  if (namespace.kind === 'user' || OPENNESS[visibility] <= OPENNESS[namespace.visibility]) return
  throw invalidRecord({
    visibility_level: [`${visibility} is not allowed in a ${namespace.visibility} group.`],
  })
}

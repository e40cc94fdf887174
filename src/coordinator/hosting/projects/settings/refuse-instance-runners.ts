import { invalidRecord } from '../../../http/errors.js'
import type { Namespace } from '../store.js'
import type { EditProject } from './parameters.js'

/** Throws 400 for a project that enables instance runners although its group forbids them (API, D). */
export function refuseInstanceRunners(
  { shared_runners_enabled }: Pick<EditProject, 'shared_runners_enabled'>,
  namespace: Pick<Namespace, 'shared_runners_setting'>,
): void {
  if (!shared_runners_enabled || namespace.shared_runners_setting !== 'disabled_and_unoverridable') return
  throw invalidRecord({
    shared_runners_enabled: ['cannot be enabled because parent group does not allow it'],
  })
}

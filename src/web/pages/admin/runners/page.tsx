import { useTitle } from '../../../frame/document-title.js'
import { Fleet } from '../../../records/runners/fleet.js'
import { INSTANCE } from '../../../records/runners/runner-scope.js'

/** All runners of the instance. */
export function Page() {
  useTitle('Runners')
  return <Fleet scope={INSTANCE} details="All runners of this instance." />
}

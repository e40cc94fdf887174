import { INSTANCE } from '../../../records/runners/runner-scope.js'
import { RunnerView } from '../../../records/runners/runner-view.js'

/** One runner, of any type. */
export function Page({ params: { id } }: { params: { id: string } }) {
  return <RunnerView scope={INSTANCE} id={id} />
}

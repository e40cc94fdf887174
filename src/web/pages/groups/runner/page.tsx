import { groupRecord } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { Read } from '../../../frame/problem.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { RunnerView } from '../../../records/runners/runner-view.js'

/** One of the runners that may take jobs of a group. */
export function Page({ params: { group, id } }: { params: { group: string; id: string } }) {
  const record = useRead<{ id: number }>(groupRecord(group))
  return (
    <Allowed
      abilities={useGroupAbilities(group)}
      to="admin_group_runners"
      title="Runner"
      otherwise="Owners see the runners of a group."
    >
      <Read of={record} title="Runner">
        {(loaded) => <RunnerView scope={{ kind: 'group', path: group, id: loaded.id }} id={id} />}
      </Read>
    </Allowed>
  )
}

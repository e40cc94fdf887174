import { groupRecord } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { Read } from '../../../frame/problem.js'
import { PageHeader } from '../../../kit/panel.js'
import { RunnerView } from '../../../records/runners/runner-view.js'

/** One of the runners that may take jobs of a group. */
export function Page({ params: { group, id } }: { params: { group: string; id: string } }) {
  const record = useRead<{ id: number }>(groupRecord(group))
  return (
    <Read of={record} loading={<PageHeader title="Runner" />}>
      {(loaded) => <RunnerView scope={{ kind: 'group', path: group, id: loaded.id }} id={id} />}
    </Read>
  )
}

import { groupRecord } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { Fleet } from '../../../records/runners/fleet.js'

/** The runners that may take jobs of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Runners · ${group}`)
  const record = useRead<{ id: number }>(groupRecord(group))
  const { isLoaded, may } = useGroupAbilities(group)
  if (isLoaded && !may('admin_group_runners')) {
    return (
      <>
        <PageHeader title="Runners" />
        <Alert tone="warning">Owners see the runners of a group.</Alert>
      </>
    )
  }
  return (
    <Read of={record} loading={<PageHeader title="Runners" />}>
      {({ id }) =>
        isLoaded && (
          <Fleet
            scope={{ kind: 'group', path: group, id }}
            details="Runners of this group and of the groups above."
          />
        )
      }
    </Read>
  )
}

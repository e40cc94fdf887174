import { groupRecord } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { Fleet } from '../../../records/runners/fleet.js'

/** The runners that may take jobs of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Runners · ${group}`)
  const record = useRead<{ id: number }>(groupRecord(group))
  return (
    <Allowed
      abilities={useGroupAbilities(group)}
      title="Runners"
      to="admin_group_runners"
      otherwise="Owners see the runners of a group."
    >
      <Read of={record} title="Runners" loading={<PageHeader title="Runners" />}>
        {({ id }) => (
          <Fleet
            scope={{ kind: 'group', path: group, id }}
            details="Runners of this group and of the groups above."
          />
        )}
      </Read>
    </Allowed>
  )
}

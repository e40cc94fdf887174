import { groupApi } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { Runners } from '../../../records/runners.js'

/** The runners that may take jobs of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Runners · ${group}`)
  const record = useRead<{ id: number }>(groupApi(group))
  const { isLoaded, may } = useGroupAbilities(group)
  return (
    <>
      <PageHeader title="Runners" details="Runners of this group and of the groups above." />
      {isLoaded && !may('admin_group_runners') && (
        <Alert tone="warning">Owners see the runners of a group.</Alert>
      )}
      {may('admin_group_runners') && (
        <Read of={record}>
          {({ id }) => (
            <Runners
              path={`${groupApi(group)}/runners`}
              created={{ runner_type: 'group_type', group_id: id }}
            />
          )}
        </Read>
      )}
    </>
  )
}

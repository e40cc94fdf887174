import { groupApi, groupRecord } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { Members } from '../../../records/members.js'

/** The members of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Members · ${group}`)
  const { may, level } = useGroupAbilities(group)
  return (
    <>
      <PageHeader title="Members" />
      <Members
        base={groupApi(group)}
        record={groupRecord(group)}
        mayChange={may('admin_group_members')}
        highest={level}
      />
    </>
  )
}

import { CircleDot } from 'lucide'

import { groupApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { IssueList } from '../issue-list.js'

/** The issues of all projects of a group that the reader may see. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Issues · ${group}`)
  return (
    <>
      <PageHeader title="Issues" />
      <IssueList
        base={groupApi(group)}
        showsProject
        empty={
          <Empty icon={CircleDot} title="There is no issue yet.">
            Issues belong to the projects of the group.
          </Empty>
        }
      />
    </>
  )
}

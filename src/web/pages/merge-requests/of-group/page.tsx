import { GitPullRequestArrow } from 'lucide'

import { groupApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { RequestList } from '../request-list.js'

/** The merge requests of the projects of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Merge requests · ${group}`)
  return (
    <>
      <PageHeader title="Merge requests" />
      <RequestList
        base={groupApi(group)}
        showsProject
        empty={<Empty icon={GitPullRequestArrow} title="No project of this group has merge requests yet." />}
      />
    </>
  )
}

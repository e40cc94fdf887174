import { CircleDot, Milestone, SquareKanban, Tag } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader } from '../../../kit/panel.js'
import { IssueList } from '../issue-list.js'

/** The issues of all projects of a group that the reader may see. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Issues · ${group}`)
  return (
    <>
      <PageHeader
        title="Issues"
        actions={
          <>
            <LinkButton icon={SquareKanban} href={addressOf('issues/group-boards', { group })}>
              Boards
            </LinkButton>
            <LinkButton icon={Tag} href={addressOf('issues/group-labels', { group })}>
              Labels
            </LinkButton>
            <LinkButton icon={Milestone} href={addressOf('issues/group-milestones', { group })}>
              Milestones
            </LinkButton>
          </>
        }
      />
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

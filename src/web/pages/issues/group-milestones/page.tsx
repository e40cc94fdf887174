import { useTitle } from '../../../frame/document-title.js'
import { MilestoneList } from '../milestone-list.js'

/** The milestones of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Milestones · ${group}`)
  return <MilestoneList owner={{ kind: 'group', path: group }} />
}

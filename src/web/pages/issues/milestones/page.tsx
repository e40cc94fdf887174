import { useTitle } from '../../../frame/document-title.js'
import { MilestoneList } from '../milestone-list.js'

/** The milestones of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Milestones · ${project}`)
  return <MilestoneList owner={{ kind: 'project', path: project }} />
}

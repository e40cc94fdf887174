import { useTitle } from '../../../frame/document-title.js'
import { LabelList } from '../label-list.js'

/** The labels of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Labels · ${project}`)
  return <LabelList owner={{ kind: 'project', path: project }} />
}

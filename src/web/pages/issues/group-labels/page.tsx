import { useTitle } from '../../../frame/document-title.js'
import { LabelList } from '../label-list.js'

/** The labels of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Labels · ${group}`)
  return <LabelList owner={{ kind: 'group', path: group }} />
}

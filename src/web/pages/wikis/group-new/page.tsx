import { NewPage } from '../page-form.js'

/** A form for a new page of the wiki of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  return <NewPage owner={{ kind: 'group', path: group }} />
}

import { NewPage } from '../page-form.js'

/** A form for a new page of the wiki of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return <NewPage owner={{ kind: 'project', path: project }} />
}

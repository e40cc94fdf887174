import { NewPage } from '../page-form.js'
import { WikiPage } from '../wiki-page.js'

/** A page of the wiki of a project; `new` is the form for another one. */
export function Page({ params: { project, slug } }: { params: Record<'project' | 'slug', string> }) {
  const owner = { kind: 'project', path: project } as const
  return slug === 'new' ? <NewPage owner={owner} /> : <WikiPage owner={owner} slug={slug} />
}

import { WikiPage } from '../wiki-page.js'

/** A page of the wiki of a project. */
export function Page({ params: { project, slug } }: { params: Record<'project' | 'slug', string> }) {
  return <WikiPage owner={{ kind: 'project', path: project }} slug={slug} />
}

import { WikiPage } from '../wiki-page.js'

/** A page of the wiki of a group. */
export function Page({ params: { group, slug } }: { params: Record<'group' | 'slug', string> }) {
  return <WikiPage owner={{ kind: 'group', path: group }} slug={slug} />
}

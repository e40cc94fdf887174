import { NewPage } from '../page-form.js'
import { WikiPage } from '../wiki-page.js'

/** A page of the wiki of a group; `new` is the form for another one. */
export function Page({ params: { group, slug } }: { params: Record<'group' | 'slug', string> }) {
  const owner = { kind: 'group', path: group } as const
  return slug === 'new' ? <NewPage owner={owner} /> : <WikiPage owner={owner} slug={slug} />
}

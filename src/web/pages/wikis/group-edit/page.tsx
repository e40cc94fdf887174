import { EditPage } from '../page-form.js'

/** A page of the wiki of a group in an editor. */
export function Page({ params: { group, slug } }: { params: Record<'group' | 'slug', string> }) {
  return <EditPage key={slug} owner={{ kind: 'group', path: group }} slug={slug} />
}

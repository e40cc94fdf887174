import { PageView } from '../page-view.js'

/** The editor of a page of the wiki of a group, or its versions. */
export function Page({ params: { group, ...rest } }: { params: Record<'group' | 'slug' | 'view', string> }) {
  return <PageView owner={{ kind: 'group', path: group }} {...rest} />
}

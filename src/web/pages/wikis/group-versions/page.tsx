import { PageVersions } from '../page-versions.js'

/** The versions of a page of the wiki of a group. */
export function Page({ params: { group, ...rest } }: { params: Record<'group' | 'slug' | 'view', string> }) {
  return <PageVersions owner={{ kind: 'group', path: group }} {...rest} />
}

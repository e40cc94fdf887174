import { PageVersions } from '../page-versions.js'

/** The versions of a page of the wiki of a project. */
export function Page({
  params: { project, ...rest },
}: {
  params: Record<'project' | 'slug' | 'view', string>
}) {
  return <PageVersions owner={{ kind: 'project', path: project }} {...rest} />
}

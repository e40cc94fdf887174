import { PageView } from '../page-view.js'

/** The editor of a page of the wiki of a project, or its versions. */
export function Page({
  params: { project, ...rest },
}: {
  params: Record<'project' | 'slug' | 'view', string>
}) {
  return <PageView owner={{ kind: 'project', path: project }} {...rest} />
}

import { SnippetView } from '../snippet-view.js'

/** A snippet of a project, or a form for one. */
export function Page({
  params: { project, id, view },
}: {
  params: Record<'project' | 'id' | 'view', string>
}) {
  return <SnippetView project={project} id={id} view={view} />
}

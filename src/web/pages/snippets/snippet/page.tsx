import { SnippetPage } from '../snippet-page.js'

/** A snippet of a project. */
export function Page({ params: { project, id } }: { params: Record<'project' | 'id', string> }) {
  return <SnippetPage project={project} id={id} />
}

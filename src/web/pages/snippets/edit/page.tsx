import { EditSnippet } from '../edit-snippet.js'

/** A snippet of a project in a form. */
export function Page({ params: { project, id } }: { params: Record<'project' | 'id', string> }) {
  return <EditSnippet key={id} project={project} id={id} />
}

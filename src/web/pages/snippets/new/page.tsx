import { NewSnippet } from '../edit-snippet.js'

/** A form for a new snippet of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return <NewSnippet project={project} />
}

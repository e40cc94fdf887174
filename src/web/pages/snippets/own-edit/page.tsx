import { EditSnippet } from '../edit-snippet.js'

/** A snippet of a user in a form. */
export function Page({ params: { id } }: { params: { id: string } }) {
  return <EditSnippet key={id} project={undefined} id={id} />
}

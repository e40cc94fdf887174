import { NewSnippet } from '../edit-snippet.js'

/** A form for a new snippet of the user. */
export function Page() {
  return <NewSnippet project={undefined} />
}

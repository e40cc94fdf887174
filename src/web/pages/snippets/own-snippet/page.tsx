import { SnippetPage } from '../snippet-page.js'

/** A snippet of a user. */
export function Page({ params: { id } }: { params: { id: string } }) {
  return <SnippetPage project={undefined} id={id} />
}

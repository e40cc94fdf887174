import { SnippetView } from '../snippet-view.js'

/** A snippet of a user, or a form for one. */
export function Page({ params: { id, view } }: { params: Record<'id' | 'view', string> }) {
  return <SnippetView project={undefined} id={id} view={view} />
}

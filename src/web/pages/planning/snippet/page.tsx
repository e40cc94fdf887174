import { ApiPage } from '../api-page.js'

/** Snippets of users, which have no page yet. */
export function Page({ params }: { params: { record: string } }) {
  return <ApiPage owner={undefined} kind="snippets" record={params.record} />
}

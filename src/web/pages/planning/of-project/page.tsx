import { ApiPage } from '../api-page.js'

/** Issues, merge requests and other records of a project that have no page yet. */
export function Page({ params }: { params: { project: string; kind: string; record: string } }) {
  return <ApiPage owner={{ project: params.project }} kind={params.kind} record={params.record} />
}

import { ApiPage } from '../api-page.js'

/** Issues, epics and other records of a group that have no page yet. */
export function Page({ params }: { params: { group: string; kind: string; record: string } }) {
  return <ApiPage owner={{ group: params.group }} kind={params.kind} record={params.record} />
}

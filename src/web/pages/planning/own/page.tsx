import { ApiPage } from '../api-page.js'

/** Records of the user that have no page yet. */
export function Page({ params }: { params: { kind: string } }) {
  return <ApiPage owner={undefined} kind={params.kind} record="" />
}

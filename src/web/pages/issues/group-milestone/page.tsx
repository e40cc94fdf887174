import { MilestonePage } from '../milestone-page.js'

/** A milestone of a group. */
export function Page({ params: { group, iid } }: { params: Record<'group' | 'iid', string> }) {
  return <MilestonePage owner={{ kind: 'group', path: group }} iid={iid} />
}

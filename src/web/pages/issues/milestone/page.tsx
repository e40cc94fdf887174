import { MilestonePage } from '../milestone-page.js'

/** A milestone of a project. */
export function Page({ params: { project, iid } }: { params: Record<'project' | 'iid', string> }) {
  return <MilestonePage owner={{ kind: 'project', path: project }} iid={iid} />
}

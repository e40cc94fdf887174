import { BoardPage } from '../board-page.js'

/** A board of a project. */
export function Page({ params: { project, id } }: { params: Record<'project' | 'id', string> }) {
  return <BoardPage owner={{ kind: 'project', path: project }} id={id} />
}

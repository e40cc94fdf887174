import { BoardPage } from '../board-page.js'

/** The first board of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return <BoardPage owner={{ kind: 'project', path: project }} id={undefined} />
}

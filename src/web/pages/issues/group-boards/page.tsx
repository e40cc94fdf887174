import { BoardPage } from '../board-page.js'

/** The first board of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  return <BoardPage owner={{ kind: 'group', path: group }} id={undefined} />
}

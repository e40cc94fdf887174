import { BoardPage } from '../board-page.js'

/** A board of a group. */
export function Page({ params: { group, id } }: { params: Record<'group' | 'id', string> }) {
  return <BoardPage owner={{ kind: 'group', path: group }} id={id} />
}

import { useRef, useState } from 'preact/hooks'

import { RequestError, requestJson } from '../../api/client.js'
import { refresh } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import type { CardMove } from './card-moves.js'
import { wordsOf } from './use-card-drag.js'

interface CardMoves {
  /** Moves that the server has not confirmed, in their order. */
  moves: readonly CardMove[]
  /**
   * Shows a move at once, and asks the server for it after those before it. One that is refused is taken back.
   * @param fields changes of the issue
   * @param paths of the lists that are read again
   */
  move: (move: CardMove, fields: Record<string, unknown>, paths: readonly string[]) => void
}

/** @param onTakenBack called when a move was taken back, after the lists show it */
export function useCardMoves(
  announce: (text: string) => void,
  onTakenBack: (move: CardMove) => void,
): CardMoves {
  const [moves, setMoves] = useState<readonly CardMove[]>([])
  const queue = useRef(Promise.resolve())
  const carryOut = async (move: CardMove, fields: Record<string, unknown>, paths: readonly string[]) => {
    const remove = () => setMoves((known) => known.filter((other) => other !== move))
    try {
      await requestMove(move, fields)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      remove()
      requestAnimationFrame(() => onTakenBack(move))
      notifyError(error)
      announce(`The move of ${wordsOf(move.issue)} was taken back: ${error.message}`)
    } finally {
      await refresh(...paths)
      remove()
    }
  }
  return {
    moves,
    move: (move, fields, paths) => {
      setMoves((known) => [...known, move])
      queue.current = queue.current.then(() => carryOut(move, fields, paths))
    },
  }
}

async function requestMove(
  { issue, to, before, after }: CardMove,
  fields: Record<string, unknown>,
): Promise<void> {
  const path = `/projects/${issue.project_id}/issues/${issue.iid}`
  if (Object.keys(fields).length > 0) await requestJson(path, { method: 'PUT', body: fields })
  // Closed issues are in the order in which they were changed.
  if (to === 'closed' || (before === undefined && after === undefined)) return
  const body = {
    ...(before !== undefined && { move_before_id: before }),
    ...(after !== undefined && { move_after_id: after }),
  }
  await requestJson(`${path}/reorder`, { method: 'PUT', body })
}

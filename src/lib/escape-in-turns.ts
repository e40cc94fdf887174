import { setImmediate as nextTurn } from 'node:timers/promises'

import { escapeMarkup } from './escape-markup.js'

/** In characters. The worst ones of this length take 5 ms. */
const PIECE_LENGTH = 64 * 1024

/** As `escapeMarkup`, for texts of any length: others are served while a long one is escaped. */
export async function escapeInTurns(text: string): Promise<string> {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    if (at > 0) await nextTurn()
    pieces.push(escapeMarkup(text.slice(at, at + PIECE_LENGTH)))
  }
  return pieces.join('')
}

import { MarkedText } from '../text/marked-text.js'
import type { CodePiece } from './highlight.js'
import styles from './pieces.module.css'

/** A line of code in colors. */
export function Pieces({ pieces }: { pieces: readonly CodePiece[] }) {
  return (
    <>
      {pieces.map(([text, kind], index) => (
        <span key={index} class={kind === undefined ? undefined : styles[kind]}>
          <MarkedText text={text} />
        </span>
      ))}
    </>
  )
}

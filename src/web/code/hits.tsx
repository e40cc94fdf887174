import { MarkedText } from '../text/marked-text.js'
import type { TextPart } from './find-hits.js'
import styles from './hits.module.css'

/** A text in which the hits of a search are marked. */
export function Hits({ parts }: { parts: readonly TextPart[] }) {
  return (
    <>
      {parts.map(({ text, isHit }, index) =>
        isHit ? (
          <mark key={index} class={styles['hit']}>
            <MarkedText text={text} />
          </mark>
        ) : (
          <MarkedText key={index} text={text} />
        ),
      )}
    </>
  )
}

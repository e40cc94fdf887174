import { useMemo } from 'preact/hooks'

import type { FileAddress } from './file-address.js'
import styles from './log-excerpt.module.css'
import { Pieces } from './log-row.js'
import { styledLines } from './styled-text.js'

interface LogExcerptProps {
  label: string
  lines: readonly string[]
  /** Style before the first line, as parameters of an escape sequence. */
  style: string
  /** Number of the first line in the log. */
  firstLine: number
  fileAddress?: FileAddress | undefined
}

/** Some lines of a log, with their colors. */
export function LogExcerpt({ label, lines, style, firstLine, fileAddress }: LogExcerptProps) {
  const styled = useMemo(() => styledLines(lines, style), [lines, style])
  return (
    // It scrolls sideways, so the keyboard must reach it.
    <pre class={styles['excerpt']} tabIndex={0} role="region" aria-label={label}>
      {styled.map((pieces, index) => (
        <div key={index} class={styles['line']}>
          <span class={styles['number']} aria-hidden="true">
            {firstLine + index}
          </span>
          <span>
            <Pieces pieces={pieces} hit={undefined} fileAddress={fileAddress} />
          </span>
        </div>
      ))}
    </pre>
  )
}

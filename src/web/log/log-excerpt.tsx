import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'

import { classNames } from '../kit/class-names.js'
import { HiddenWarning } from '../text/hidden-warning.js'
import type { FileAddress } from './file-address.js'
import styles from './log-excerpt.module.css'
import { Pieces } from './log-row.js'
import { plainText, styledLines } from './styled-text.js'

interface LogExcerptProps {
  label: string
  lines: readonly string[]
  /** Style before the first line, as parameters of an escape sequence. */
  style: string
  /** Number of the first line in the log. */
  firstLine: number
  /** Number of the line that is marked, and in sight at first. */
  markedLine?: number | undefined
  fileAddress?: FileAddress | undefined
}

/** Lines above the marked one that are in sight. */
const LINES_BEFORE = 4

/** Some lines of a log, with their colors. */
export function LogExcerpt({ label, lines, style, firstLine, markedLine, fileAddress }: LogExcerptProps) {
  const styled = useMemo(() => styledLines(lines, style), [lines, style])
  const texts = useMemo(() => styled.map(plainText), [styled])
  const excerpt = useRef<HTMLPreElement>(null)
  const marked = useRef<HTMLDivElement>(null)
  const scrollTo = (line: Element | null | undefined) => {
    if (!excerpt.current || !(line instanceof HTMLElement)) return
    excerpt.current.scrollTop = line.offsetTop - LINES_BEFORE * line.offsetHeight
  }
  useLayoutEffect(() => scrollTo(marked.current), [markedLine, styled])
  return (
    <>
      <HiddenWarning
        of="This excerpt"
        lines={texts}
        onShow={(index) => scrollTo(excerpt.current?.children[index])}
      />
      {/* It scrolls sideways, so the keyboard must reach it. */}
      <pre ref={excerpt} class={styles['excerpt']} tabIndex={0} role="region" aria-label={label}>
        {styled.map((pieces, index) => (
          <div
            key={index}
            ref={firstLine + index === markedLine ? marked : undefined}
            class={classNames(styles['line'], firstLine + index === markedLine && styles['marked'])}
          >
            <span class={styles['number']} aria-hidden="true">
              {firstLine + index}
            </span>
            <span>
              <Pieces pieces={pieces} hit={undefined} fileAddress={fileAddress} />
            </span>
          </div>
        ))}
      </pre>
    </>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'

import type { LogSource } from './log-source.js'
import { plainText } from './styled-text.js'

/** Lines that are announced at a time; of more, the last ones. */
const MAX_LINES = 20

/** Announces the lines that come, for those who asked for it. */
export function NewLines({ source, lines }: { source: LogSource; lines: number }) {
  const [text, setText] = useState('')
  const announced = useRef(lines)
  useEffect(() => {
    const first = Math.max(announced.current + 1, lines - MAX_LINES + 1)
    if (first > lines) return
    announced.current = lines
    const texts: string[] = []
    for (let number = first; number <= lines; number += 1) {
      const line = source.lineAt(number)
      if (line) texts.push(plainText(line.pieces))
    }
    setText(texts.join('\n'))
  }, [source, lines])
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  )
}

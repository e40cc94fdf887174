import { useMemo } from 'preact/hooks'

import type { HiddenSummary } from './hidden-characters.js'
import { isPlain } from './is-plain.js'
import { useMarks } from './use-marks.js'

interface HiddenWarningProps {
  /** What is shown, such as `This file`. */
  of: string
  lines: readonly string[]
  /** Leads to the line at an index, the first one with an invisible character. */
  onShow?: ((index: number) => void) | undefined
}

/** Warns of invisible characters above the lines that have them. */
export function HiddenWarning({ of, lines, onShow }: HiddenWarningProps) {
  const isSuspect = useMemo(() => !lines.every(isPlain), [lines])
  const marks = useMarks(isSuspect)
  const hidden = useMemo(() => marks?.hiddenIn(lines), [marks, lines])
  if (!marks || !hidden) return null
  return <marks.Warning of={of} hidden={hidden} onShow={onShow && (() => onShow(hidden.firstLine))} />
}

interface GrowingWarningProps {
  of: string
  /** Takes the lines that have been read since the last call and may have such characters, each with its number. */
  takeSuspects: () => [number, string][]
  /** Whether there are such lines. */
  hasSuspects: boolean
  onShow: (line: number) => void
}

/** As `GrowingWarningProps`, for a text of which some lines are read, in any order. */
export function GrowingHiddenWarning({ of, takeSuspects, hasSuspects, onShow }: GrowingWarningProps) {
  const found = useMemo<{ hidden?: HiddenSummary }>(() => ({}), [])
  const marks = useMarks(hasSuspects || found.hidden !== undefined)
  if (marks && hasSuspects) {
    for (const [line, text] of takeSuspects()) {
      const hidden = marks.hiddenIn([text])
      if (!hidden) continue
      const { firstLine = line, turns = false } = found.hidden ?? {}
      found.hidden = {
        count: undefined,
        firstLine: Math.min(line, firstLine),
        turns: turns || hidden.turns,
      }
    }
  }
  const { hidden } = found
  return marks && hidden ? (
    <marks.Warning of={of} hidden={hidden} onShow={() => onShow(hidden.firstLine)} />
  ) : null
}

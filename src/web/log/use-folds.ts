import { useMemo, useState } from 'preact/hooks'

import type { TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { toggled } from '../kit/toggled.js'
import { RowMap } from './folds.js'
import type { LogSource } from './log-source.js'

/** Which sections of a log are folded. A section is named by its first line, which stays in sight. */
export interface LogFolds {
  map: RowMap
  closed: ReadonlySet<number>
  allClosed: boolean
  toggle: (firstLine: number) => void
  toggleAll: () => void
  /** Unfolds the sections that hide a line. */
  reveal: (line: number) => void
}

/** @param foldsPassed whether the sections before the one in which the job failed are folded at first */
export function useFolds(source: LogSource, outline: TraceOutline, foldsPassed: boolean): LogFolds {
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => closedAtFirst(outline, foldsPassed))
  // A source changes in place.
  const { lines, sections } = source
  const map = useMemo(() => {
    const folds = sections
      .filter(({ first_line: line }) => closed.has(line))
      .map(({ first_line: line, last_line: last }) => ({ first: line + 1, last: last ?? lines }))
    return new RowMap(lines, folds)
  }, [lines, sections, closed])
  const allClosed =
    source.sections.length > 0 && source.sections.every(({ first_line: line }) => closed.has(line))
  const reveal = (line: number) => {
    const hiding = source.sections.filter(
      ({ first_line: first, last_line: last }) =>
        closed.has(first) && line > first && line <= (last ?? source.lines),
    )
    if (hiding.length > 0)
      setClosed(
        new Set([...closed].filter((first) => !hiding.some((section) => section.first_line === first))),
      )
  }
  return {
    map,
    closed,
    allClosed,
    toggle: (firstLine) => setClosed(toggled(closed, firstLine)),
    toggleAll: () =>
      setClosed(allClosed ? new Set() : new Set(source.sections.map(({ first_line: line }) => line))),
    reveal,
  }
}

/** Sections that the runner collapses; of a failed job also those that have ended before the last one. */
function closedAtFirst(outline: TraceOutline, foldsPassed: boolean): Set<number> {
  const { sections, is_complete: isComplete } = outline
  const script = failedSection(outline)
  return new Set(
    sections
      .filter(
        (section) =>
          section.collapsed ||
          (foldsPassed &&
            isComplete &&
            script !== undefined &&
            section.depth === 0 &&
            section.first_line < script.first_line),
      )
      .map(({ first_line: line }) => line),
  )
}

/** The section in which a job fails: that of its script, or the last one. */
function failedSection({ sections }: TraceOutline): TraceOutline['sections'][number] | undefined {
  return (
    sections.findLast(({ name }) => name === 'step_script') ??
    sections.filter(({ depth }) => depth === 0).at(-1)
  )
}

import { useEffect } from 'preact/hooks'

import type { Coverage } from '../../../../coordinator/planning/merge-requests/changed-coverage/schema.js'
import type { LineNotes } from '../../../code/line-notes.js'
import { Alert } from '../../../kit/alert.js'
import { classNames } from '../../../kit/class-names.js'
import { changedCoverage, coverageText } from './changed-coverage.js'
import styles from './coverage-marks.module.css'

export type Marks = Required<Pick<LineNotes, 'mark' | 'heading'>>

export interface CoverageMarksProps {
  coverage: Coverage
  /** Takes what is shown in the changes; undefined when it goes. */
  onMarks: (marks: Marks | undefined) => void
}

/** Gives the changes their marks of coverage, and says which reports it is without. */
export function CoverageMarks({ coverage, onMarks }: CoverageMarksProps) {
  useEffect(() => {
    onMarks(marksOf(coverage))
    return () => onMarks(undefined)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- callers give another function in each render
  }, [coverage])
  const count = coverage.errors.length
  if (count === 0) return null
  const reports = count === 1 ? 'A coverage report' : `${count} coverage reports`
  return <Alert tone="warning">{reports} of the latest pipeline could not be read.</Alert>
}

function marksOf({ files }: Coverage): Marks {
  const byPath = new Map(Object.entries(files))
  return {
    mark: (path, { kind, new: number }) => {
      const hits = kind === 'added' && number !== undefined ? byPath.get(path)?.[number] : undefined
      if (hits === undefined) return null
      const text = hits > 0 ? `Covered by tests, hits: ${hits}` : 'Not covered by tests'
      return (
        <span class={classNames(styles['mark'], styles[hits > 0 ? 'covered' : 'uncovered'])} title={text}>
          <span class="visually-hidden">{text}. </span>
        </span>
      )
    },
    heading: ({ entry, parsed }) => {
      const lines = byPath.get(entry.new_path)
      const counts = lines && changedCoverage(parsed, lines)
      if (!counts || counts.known === 0) return null
      const text = coverageText(counts)
      return (
        <span class={styles['counts']} title={text}>
          <span class={classNames(styles['mark'], styles[counts.uncovered > 0 ? 'uncovered' : 'covered'])} />
          <span class={styles['words']}>{text}</span>
        </span>
      )
    },
  }
}

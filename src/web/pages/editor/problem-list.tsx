import { CircleCheck, CircleX, TriangleAlert } from 'lucide'

import type { LintedInclude, LintProblem } from '../../../coordinator/ci/lint/schema.js'
import { useSearch } from '../../frame/location.js'
import { Icon } from '../../kit/icon.js'
import styles from './problem-list.module.css'
import { tabHref } from './tab-href.js'

interface ProblemListProps {
  problems: readonly LintProblem[]
  /** The file in the editor. */
  file: string
  includes: readonly LintedInclude[]
  /** Shows a position in the editor. */
  onShow: (line: number, column: number) => void
}

/** The problems of a CI file, each with a link to its line. */
export function ProblemList({ problems, file, includes, onShow }: ProblemListProps) {
  if (problems.length === 0) {
    return (
      <p class={styles['none']}>
        <Icon icon={CircleCheck} /> No problems.
      </p>
    )
  }
  return (
    <ul class={styles['problems']} aria-label="Problems">
      {problems.map((problem, index) => (
        <li key={index} class={styles[problem.severity]}>
          <Icon
            icon={problem.severity === 'error' ? CircleX : TriangleAlert}
            label={problem.severity === 'error' ? 'Error' : 'Warning'}
          />
          <span class={styles['message']}>{problem.message}</span>
          <ProblemLocation {...{ problem, file, includes, onShow }} />
        </li>
      ))}
    </ul>
  )
}

interface ProblemLocationProps extends Omit<ProblemListProps, 'problems'> {
  problem: LintProblem
}

function ProblemLocation({
  problem: { file: of, line, column },
  file,
  includes,
  onShow,
}: ProblemLocationProps) {
  const [search] = useSearch()
  if (of === null || line === null) return null
  const position = `${line}:${column ?? 1}`
  if (of === file) {
    return (
      <button type="button" class={styles['location']} onClick={() => onShow(line, column ?? 1)}>
        Line {position}
      </button>
    )
  }
  const text = `${of} ${position}`
  return includes.some(({ location, blob }) => location === of && blob !== null) ? (
    <a class={styles['location']} href={tabHref(search, 'includes', of, line)}>
      {text}
    </a>
  ) : (
    <span class={styles['location']}>{text}</span>
  )
}

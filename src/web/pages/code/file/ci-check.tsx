import { CircleCheck, CircleX, SquarePen, TriangleAlert } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { LintProblem, LintReport } from '../../../../coordinator/ci/lint/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead } from '../../../api/use-read.js'
import { LinkButton } from '../../../kit/button.js'
import { Icon } from '../../../kit/icon.js'
import styles from './ci-check.module.css'

/** More problems are in the editor. */
const MAX_SHOWN = 5

interface CiCheckProps {
  project: string
  refName: string
  /** The CI file of the project. */
  path: string
}

/** What is wrong with the CI file, with links to its lines. Nothing is checked for visitors without an account. */
export function CiCheck({ project, refName, path }: CiCheckProps) {
  const query = queryOf({ content_ref: refName })
  const { data } = useRead<LintReport>(boot.user ? `${projectApi(project)}/ci/lint${query}` : undefined)
  const problems = data?.problems ?? []
  return (
    <div class={styles['check']}>
      <div class={styles['line']}>
        {data && (
          <span class={data.valid ? styles['valid'] : styles['invalid']}>
            <Icon icon={data.valid ? CircleCheck : CircleX} />
            {data.valid ? 'This CI file is valid.' : 'This CI file has errors.'}
          </span>
        )}
        <span class={styles['space']} />
        <LinkButton
          size="small"
          icon={SquarePen}
          href={addressOf('editor/edit', { project }, { ref: refName })}
        >
          Pipeline editor
        </LinkButton>
      </div>
      {problems.length > 0 && (
        <ul class={styles['problems']} aria-label="Problems">
          {problems.slice(0, MAX_SHOWN).map((problem, index) => (
            <li key={index} class={styles[problem.severity]}>
              <Icon
                icon={problem.severity === 'error' ? CircleX : TriangleAlert}
                label={problem.severity === 'error' ? 'Error' : 'Warning'}
              />
              <span>
                {problem.message} <ProblemLocation problem={problem} path={path} />
              </span>
            </li>
          ))}
          {problems.length > MAX_SHOWN && <li>{problems.length - MAX_SHOWN} more in the editor.</li>}
        </ul>
      )}
    </div>
  )
}

function ProblemLocation({ problem: { file, line, column }, path }: { problem: LintProblem; path: string }) {
  if (file === null || line === null) return null
  const position = `${line}:${column ?? 1}`
  return file === path ? <a href={`#L${line}`}>Line {position}</a> : `${file} ${position}`
}

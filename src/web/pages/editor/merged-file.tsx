import { CircleX } from 'lucide'
import { useMemo } from 'preact/hooks'

import type { LintReport } from '../../../coordinator/ci/lint/schema.js'
import { CodeLines } from '../../code/code-lines.js'
import { linesOf } from '../../code/text-lines.js'
import { useHighlight } from '../../code/use-highlight.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Empty } from '../../kit/empty.js'
import { CHECKED_FILE } from './problems-of.js'
import styles from './workbench.module.css'

/** The CI file with all that it includes. */
export function MergedFile({ report: { merged_yaml: merged } }: { report: LintReport }) {
  const lines = useMemo(() => linesOf(merged ?? ''), [merged])
  const colored = useHighlight(CHECKED_FILE, merged ?? undefined)
  if (merged === null) {
    return <Empty icon={CircleX} title="The file is shown here, with all it includes, once it can be read." />
  }
  return (
    <>
      <div class={styles['bar']}>
        <span class={styles['quiet']}>
          With <code>include</code> and <code>extends</code> resolved
        </span>
        <span class={styles['space']} />
        <CopyButton text={merged} label="Copy the merged file" />
      </div>
      <CodeLines label="Merged file" lines={lines} colored={colored} />
    </>
  )
}

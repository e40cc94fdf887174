import { GitCompare } from 'lucide'

import { queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Comparison } from '../../../../coordinator/hosting/repository-contents/schema.js'
import { useRead } from '../../../api/use-read.js'
import { DiffView } from '../../../code/diff-view.js'
import { useMergeBase } from '../../../code/use-merge-base.js'
import { Read } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import list from '../../../kit/list-rows.module.css'
import { Panel } from '../../../kit/panel.js'
import { CommitLine } from '../../../records/commit-line.js'
import type { Branches } from './branch-choice.js'

/** The path of what a merge of the branches would merge. */
export function comparisonPath(project: string, { source, target }: Branches): string {
  return `${projectApi(project)}/repository/compare${queryOf({ from: target, to: source })}`
}

/** The commits and the changes that a merge request would have. */
export function BranchChanges({ project, branches }: { project: string; branches: Branches }) {
  const comparison = useRead<Comparison>(comparisonPath(project, branches))
  const base = useMergeBase(
    project,
    { from: branches.target, to: branches.source },
    comparison.data?.diffs ?? [],
  )
  return (
    <Read of={comparison}>
      {({ commits, diffs, compare_timeout: isCut }) =>
        commits.length === 0 ? (
          <Empty icon={GitCompare} title={`${branches.target} has all commits of ${branches.source}.`} />
        ) : (
          <>
            <Panel isFlush title={commits.length === 1 ? '1 commit' : `${commits.length} commits`}>
              <ul class={list['rows']} aria-label="Commits">
                {commits.toReversed().map((commit) => (
                  <li key={commit.id} class={list['row']}>
                    <CommitLine project={project} commit={commit} />
                  </li>
                ))}
              </ul>
            </Panel>
            <DiffView project={project} base={base} head={branches.source} entries={diffs} isCut={isCut} />
          </>
        )
      }
    </Read>
  )
}

import { GitCommitHorizontal } from 'lucide'

import type { SingleCommit } from '../../../../coordinator/hosting/commits/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { ReadRows } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import list from '../../../kit/list-rows.module.css'
import { Panel } from '../../../kit/panel.js'
import { CommitLine } from '../../../records/commit-line.js'
import { useCommitPipelines } from '../../../records/latest-pipelines.js'
import { MergeRequestLayout } from '../merge-request-layout.js'
import { mergeRequestPath } from '../merge-request-path.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'

/** The commits that a merge request merges, the newest first. */
export function Page({ params }: { params: { project: string; iid: string } }) {
  return (
    <MergeRequestLayout params={params} tab="commits">
      {(shown) => <Commits key={shown.request.sha} {...shown} />}
    </MergeRequestLayout>
  )
}

function Commits({ project, request }: ShownMergeRequest) {
  const commits = useReadList<SingleCommit>(`${mergeRequestPath(project, request.iid)}/commits?per_page=100`)
  const pipelines = useCommitPipelines(
    project,
    commits.rows.map(({ id }) => id),
  )
  return (
    <Panel isFlush>
      <ReadRows
        of={commits}
        outline={4}
        empty={<Empty icon={GitCommitHorizontal} title="There are no commits to merge." />}
      >
        <ul class={list['rows']} aria-label="Commits">
          {commits.rows.map((commit) => (
            <li key={commit.id} class={list['row']}>
              <CommitLine project={project} commit={commit} pipeline={pipelines.get(commit.id)} />
            </li>
          ))}
        </ul>
        <LoadMore of="commits" next={commits.next} />
      </ReadRows>
    </Panel>
  )
}

import { Play, Workflow } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import type { Pipeline } from '../../../../coordinator/ci/pipelines/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useReadList, useRefetchOn } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import list from '../../../kit/list-rows.module.css'
import { Panel } from '../../../kit/panel.js'
import { StatusBadge } from '../../../kit/status.js'
import { Time } from '../../../kit/time.js'
import { MergeRequestLayout } from '../merge-request-layout.js'
import { mergeRequestPath } from '../merge-request-path.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import styles from './page.module.css'

/** The pipelines of a merge request: those of its branch, of its commits and of merged results. */
export function Page({ params }: { params: { project: string; iid: string } }) {
  return (
    <MergeRequestLayout params={params} tab="pipelines">
      {(shown) => <Pipelines {...shown} />}
    </MergeRequestLayout>
  )
}

type OfRequest = Pick<Pipeline, 'id' | 'status' | 'source' | 'ref' | 'sha' | 'created_at' | 'project_id'>

const SOURCES: Readonly<Record<string, string>> = {
  merge_request_event: 'merge request',
  push: 'branch',
}

function Pipelines({ project, request, reload }: ShownMergeRequest) {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const path = `${mergeRequestPath(project, request.iid)}/pipelines`
  const pipelines = useReadList<OfRequest>(`${path}?per_page=50`)
  const head = request.head_pipeline
  useRefetchOn(`${head?.id} ${head?.status}`, pipelines.result)
  const running = useAction(async () => {
    await requestJson(path, { method: 'POST' })
    void pipelines.result.refetch()
    reload()
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Pipelines"
      actions={
        may('run_pipelines') &&
        request.state === 'opened' && (
          <Button
            icon={Play}
            size="small"
            isBusy={running.isBusy}
            reason={reasonAgainst('run_pipelines')}
            onClick={() => void running.run()}
          >
            Run pipeline
          </Button>
        )
      }
    >
      <ReadRows
        of={pipelines}
        outline={3}
        empty={<Empty icon={Workflow} title="No pipeline has run for this merge request." />}
      >
        <ul class={list['rows']} aria-label="Pipelines">
          {pipelines.rows.map((pipeline) => (
            <Row
              key={pipeline.id}
              project={project}
              isHere={pipeline.project_id === request.target_project_id}
              pipeline={pipeline}
            />
          ))}
        </ul>
        <LoadMore of="pipelines" next={pipelines.next} />
      </ReadRows>
    </Panel>
  )
}

/** A pipeline of a fork has no link: its address is in the fork, which not everybody may see. */
function Row({ project, pipeline, isHere }: { project: string; pipeline: OfRequest; isHere: boolean }) {
  const { id, status, source, sha, created_at: at } = pipeline
  const name = `#${id}`
  return (
    <li class={`${list['row'] ?? ''} ${styles['row'] ?? ''}`}>
      <StatusBadge status={status} />
      {isHere ? (
        <a class={styles['name']} href={addressOf('pipelines/pipeline', { project, id: String(id) })}>
          {name}
        </a>
      ) : (
        <span>{name}, of the fork</span>
      )}
      <span class={styles['quiet']}>{SOURCES[source] ?? source.replaceAll('_', ' ')}</span>
      <code>{sha.slice(0, 8)}</code>
      <span class={styles['quiet']}>
        <Time value={at} />
      </span>
    </li>
  )
}

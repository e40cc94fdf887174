import { ExternalLink, LocateFixed, X } from 'lucide'

import { addressOf } from '../../../addresses/address-of.js'
import { navigate } from '../../frame/location.js'
import { Read } from '../../frame/problem.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { JobLog } from '../../job-log/job-log.js'
import { useJob } from '../../job-log/use-job.js'
import { Button, IconButton, LinkButton } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { useKeys } from '../../kit/keys.js'
import { Panel } from '../../kit/panel.js'
import { shownStatus, StatusIcon } from '../../kit/status.js'
import { Duration } from '../../kit/time.js'
import { FollowButton } from './follow-button.js'
import { JobAction } from './job-action.js'
import styles from './log-pane.module.css'
import type { LogPaneState } from './use-log-pane.js'
import type { ShownPipeline } from './use-pipeline.js'

type LogPaneProps = Pick<ShownPipeline, 'project' | 'graph'> & { pane: LogPaneState }

/** The log of a job beside the other jobs of its pipeline. `Enter` leads to its page, `Escape` closes it. */
export function LogPane(props: LogPaneProps) {
  const { graph, pane } = props
  useKeys({
    Escape: () => {
      if (!document.querySelector(':popover-open')) pane.close()
    },
  })
  if (pane.current !== undefined) return <LogOf key={pane.current} {...props} id={pane.current} />
  return (
    <div class={styles['pane']}>
      <header class={styles['header']}>
        <h2 class={styles['title']}>No job runs</h2>
        <Buttons graph={graph} pane={pane} />
      </header>
      <Panel>
        <Empty icon={LocateFixed} title="The next job that starts is shown here." />
      </Panel>
    </div>
  )
}

function Buttons({ graph, pane }: Omit<LogPaneProps, 'project'>) {
  return (
    <>
      <FollowButton graph={graph} pane={pane} />
      <IconButton size="small" icon={X} label="Close the log (Esc)" onClick={pane.close} />
    </>
  )
}

function LogOf({ project, graph, id, pane }: LogPaneProps & { id: number }) {
  const { base, job } = useJob(project, String(id))
  const { may, reasonAgainst } = useProjectAbilities(project)
  const page = addressOf('jobs/job', { project, id: String(id) })
  const latest = graph.jobs.find((one) => one.id === id)
  const shown = latest ?? job.data
  const isOwn = job.data?.pipeline.id === graph.id
  const newer = latest || !isOwn ? undefined : graph.jobs.find(({ name }) => name === job.data?.name)
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, button, input, select')
    if (event.key !== 'Enter' || event.defaultPrevented || isOnControl) return
    event.preventDefault()
    navigate(page)
  }
  return (
    <div class={styles['pane']} onKeyDown={onKeyDown}>
      <header class={styles['header']}>
        <h2 class={styles['title']}>
          {shown && <StatusIcon status={shownStatus(shown)} />}
          <span>{shown?.name ?? `Job #${id}`}</span>
          {shown?.started_at && (
            <span class={styles['time']}>
              <Duration
                {...(shown.finished_at === null
                  ? { from: shown.started_at }
                  : { seconds: shown.duration ?? 0 })}
              />
            </span>
          )}
        </h2>
        {newer && (
          <Button size="small" onClick={() => pane.show(newer.id)}>
            Newest attempt
          </Button>
        )}
        {latest && (
          <JobAction
            project={project}
            pipeline={graph.id}
            job={latest}
            mayRun={may('run_pipelines')}
            reason={reasonAgainst('run_pipelines')}
          />
        )}
        <LinkButton size="small" icon={ExternalLink} href={page}>
          <span class={styles['label']}>Open job</span>
        </LinkButton>
        <Buttons graph={graph} pane={pane} />
      </header>
      <div class={styles['body']}>
        <Read of={job}>{(record) => <JobLog project={project} job={record} base={base} />}</Read>
      </div>
    </div>
  )
}

import { SquareTerminal } from 'lucide'
import { useRef } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import type { EntranceProblem, TerminalEntrance } from '../../../../coordinator/ci/terminals/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { type ShownJob, useJob } from '../../../job-log/use-job.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { shownStatus, StatusBadge } from '../../../kit/status.js'
import { Time } from '../../../kit/time.js'
import { Screen } from './screen.js'

/** A shell in the container of a held or running job. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  const { base, job } = useJob(project, id)
  const entrance = useRead<TerminalEntrance>(`${base}/terminal`)
  const title = `Shell in ${job.data?.name ?? `job #${id}`}`
  useTitle(title)
  return (
    <Read of={job} title={title}>
      {(record) => (
        <Read of={entrance} title={title}>
          {(found) => <Shell project={project} job={record} base={base} entrance={found} />}
        </Read>
      )}
    </Read>
  )
}

interface ShellProps {
  project: string
  job: ShownJob
  base: string
  entrance: TerminalEntrance
}

function Shell({ project, job, base, entrance }: ShellProps) {
  const address = addressOf('jobs/job', { project, id: String(job.id) })
  const { state, problem, place, until } = entrance
  // What was printed stays on the screen when the job ends.
  const hasBegun = useRef(false)
  if (problem === null) hasBegun.current = true
  return (
    <>
      <PageHeader
        title={
          <>
            <StatusBadge status={shownStatus(job)} />
            <span>Shell in {job.name}</span>
          </>
        }
        details={
          <>
            <a href={address}>Job #{job.id}</a>
            {place !== null && <span>{place}</span>}
            {until !== null && (
              <span>
                the hold ends <Time value={until} />
              </span>
            )}
            {state === 'running' && <span>ends with the script of the job</span>}
          </>
        }
        actions={state === 'held' && problem === null && <HoldActions base={base} entrance={entrance} />}
      />
      {hasBegun.current ? (
        <Screen base={base} onEnd={() => void refresh(`${base}/terminal`)} />
      ) : (
        problem !== null && (
          <Panel>
            <Empty
              icon={SquareTerminal}
              title={PROBLEMS[problem].title}
              action={<LinkButton href={address}>Open the job</LinkButton>}
            >
              {PROBLEMS[problem].help}
            </Empty>
          </Panel>
        )
      )}
    </>
  )
}

function HoldActions({ base, entrance: { until, latest } }: Pick<ShellProps, 'base' | 'entrance'>) {
  const path = `${base}/hold`
  const extension = useAction(async () => {
    await requestJson(`${path}/extend`, { method: 'POST', body: { seconds: 600 } })
    await refresh(`${base}/terminal`)
  }, notifyError)
  const end = useAction(async () => {
    await requestJson(path, { method: 'DELETE' })
    await refresh(base)
  }, notifyError)
  const isLatest = until !== null && latest !== null && until >= latest
  return (
    <>
      <Button
        isBusy={extension.isBusy}
        reason={isLatest ? 'The runner does not hold it for longer' : undefined}
        onClick={() => void extension.run()}
      >
        10 minutes more
      </Button>
      <Button isBusy={end.isBusy} onClick={() => void end.run()}>
        End the hold
      </Button>
    </>
  )
}

const PROBLEMS: Record<EntranceProblem, { title: string; help: string }> = {
  disabled: {
    title: 'This server opens no shells in jobs.',
    help: 'An administrator allows them with “People open shells in held and running jobs”, and the operator with terminals.enabled.',
  },
  ended: {
    title: 'The job has ended and is not held.',
    help: '“Retry and hold when it fails”, in the menu of the job, keeps the container of its next attempt.',
  },
  runner: {
    title: 'The runner of this job opens no shells.',
    help: 'The administrator of the runner allows them with enabled = true in [terminal] of its settings.',
  },
  forbidden: {
    title: 'You may not open a shell in this job.',
    help: 'Who started a job may, if they may run jobs on its branch or tag. Maintainers may when it is held.',
  },
}

import { GitCompare } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { JobAttempt } from '../../../../coordinator/ci/jobs/details/schema.js'
import type { DetailedJob } from '../../../../coordinator/ci/jobs/schema.js'
import type { TraceOutline } from '../../../../coordinator/ci/jobs/trace/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Problem, Read } from '../../../frame/problem.js'
import { formatDuration } from '../../../kit/durations.js'
import { Empty } from '../../../kit/empty.js'
import { Select } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { shownStatus, StatusIcon } from '../../../kit/status.js'
import { LogExcerpt } from '../../../log/log-excerpt.js'
import { pairSections, type Section, type SectionPair } from './compare-sections.js'
import styles from './page.module.css'
import { type Side, useDifference } from './use-difference.js'

/** Two attempts of a job, section by section. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  const job = useRead<DetailedJob>(`${projectApi(project)}/jobs/${id}?with_details=true`)
  useTitle(`Attempts of ${job.data?.name ?? `job #${id}`}`)
  return (
    <Read of={job} title="Attempts">
      {(record) => <Attempts project={project} job={record} />}
    </Read>
  )
}

function Attempts({ project, job }: { project: string; job: DetailedJob }) {
  const [search] = useSearch()
  const numbered = job.attempts
    .map((attempt, index) => ({ ...attempt, number: index + 1 }))
    .filter(({ started_at: start }) => start !== null)
  const others = numbered.filter(({ id }) => id !== job.id)
  const after = numbered.find(({ id }) => id === job.id)
  const wanted = Number(search.get('with'))
  const before =
    others.find(({ id }) => id === wanted) ?? others.findLast(({ id }) => id < job.id) ?? others[0]
  return (
    <>
      <PageHeader
        title={
          <>
            <StatusIcon status={shownStatus(job)} size={20} />
            <span>Attempts of {job.name}</span>
          </>
        }
        details={
          <>
            <a href={addressOf('jobs/job', { project, id: String(job.id) })}>Job #{job.id}</a>
            <a href={addressOf('pipelines/pipeline', { project, id: String(job.pipeline.id) })}>
              Pipeline #{job.pipeline.id}
            </a>
          </>
        }
        actions={
          others.length > 1 &&
          before && (
            <Select
              label="Compare with"
              value={String(before.id)}
              onInput={(value) =>
                navigate(addressOf('jobs/compare', { project, id: String(job.id) }, { with: value }), {
                  replaces: true,
                })
              }
              choices={others.map(({ id, number }) => ({ value: String(id), label: `Attempt ${number}` }))}
            />
          )
        }
      />
      {before && after ? (
        <Compared key={before.id} project={project} before={before} after={after} />
      ) : (
        <Panel>
          <Empty icon={GitCompare} title="A comparison needs two attempts with a log." />
        </Panel>
      )}
    </>
  )
}

type NumberedAttempt = JobAttempt & { number: number }

interface ComparedProps {
  project: string
  before: NumberedAttempt
  after: NumberedAttempt
}

function Compared({ project, before, after }: ComparedProps) {
  const left = useRead<TraceOutline>(`${tracePath(project, before.id)}/outline`)
  const right = useRead<TraceOutline>(`${tracePath(project, after.id)}/outline`)
  return (
    <Read of={left}>
      {({ sections: ofBefore }) => (
        <Read of={right}>
          {({ sections: ofAfter }) => {
            const pairs = pairSections(ofBefore, ofAfter)
            if (pairs.length === 0)
              return (
                <Panel>
                  <Empty icon={GitCompare} title="The logs of these attempts have no sections." />
                </Panel>
              )
            return (
              <div class={styles['sections']}>
                {pairs.map((pair, index) => (
                  <Pair key={index} project={project} before={before} after={after} pair={pair} />
                ))}
              </div>
            )
          }}
        </Read>
      )}
    </Read>
  )
}

function Pair({ project, before, after, pair }: ComparedProps & { pair: SectionPair }) {
  const { title, before: left, after: right } = pair
  return (
    <Panel
      title={
        <>
          {title}
          <span class={styles['durations']}>
            {durationText(left)} → {durationText(right)}
          </span>
        </>
      }
    >
      {left && right ? (
        <Sides project={project} before={before} after={after} left={left} right={right} />
      ) : (
        <p class={styles['quiet']}>Only attempt {left ? before.number : after.number} has this section.</p>
      )}
    </Panel>
  )
}

function durationText(section: Section | undefined): string {
  return section?.duration === null || section === undefined ? '–' : formatDuration(section.duration)
}

interface SidesProps extends ComparedProps {
  left: Section
  right: Section
}

function Sides({ project, before, after, left, right }: SidesProps) {
  const difference = useDifference(
    { path: tracePath(project, before.id), section: left },
    { path: tracePath(project, after.id), section: right },
  )
  switch (difference.kind) {
    case 'reading':
      return <Skeleton rows={2} />
    case 'error':
      return <Problem error={difference.error} />
    case 'same':
      return (
        <p class={styles['quiet']}>
          {difference.isCut ? 'The first 50,000 lines are the same' : 'The same'}, apart from numbers.
        </p>
      )
    case 'different':
      return (
        <div class={styles['sides']}>
          <SideView project={project} attempt={before} side={difference.before} />
          <SideView project={project} attempt={after} side={difference.after} />
        </div>
      )
  }
}

function SideView({ project, attempt, side }: { project: string; attempt: NumberedAttempt; side: Side }) {
  const { id, number, status } = attempt
  const address = addressOf('jobs/job', { project, id: String(id) }, {}, `#L${side.first}`)
  return (
    <section class={styles['side']}>
      <h3>
        <a class={styles['attempt']} href={address}>
          <StatusIcon status={status} />
          Attempt {number}, from line {side.first}
        </a>
      </h3>
      {side.lines.length === 0 ? (
        <p class={styles['quiet']}>The section ends here.</p>
      ) : (
        <LogExcerpt
          label={`Attempt ${number}`}
          lines={side.lines}
          style={side.style}
          firstLine={side.first}
        />
      )}
    </section>
  )
}

function tracePath(project: string, id: number): string {
  return `${projectApi(project)}/jobs/${id}/trace`
}

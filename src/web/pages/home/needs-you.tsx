import {
  CalendarX2,
  Check,
  CircleCheck,
  CirclePlay,
  CircleX,
  GitPullRequestArrow,
  type IconNode,
  ListTodo,
  Play,
  TriangleAlert,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { FailedSchedule, WaitingJob } from '../../../coordinator/ci/pipelines/everywhere/schema.js'
import type {
  Attention,
  PendingTodo,
  StuckMergeRequest,
  WantedReview,
} from '../../../coordinator/planning/attention/schema.js'
import { request } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'
import { Read } from '../../frame/problem.js'
import { Button, LinkButton } from '../../kit/button.js'
import { classNames } from '../../kit/class-names.js'
import { Dialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { Icon } from '../../kit/icon.js'
import list from '../../kit/list-rows.module.css'
import { Panel } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { Time } from '../../kit/time.js'
import { useLive } from '../../live/use-live.js'
import { useSoon } from '../../live/use-soon.js'
import styles from './needs-you.module.css'
import { todoWords } from './todo-words.js'

const PATH = '/user/attention'

/**
 * What waits for the user: failed default branches, own merge requests that cannot be merged, reviews, schedules that are
 * off, manual jobs and to-dos.
 */
export function NeedsYou() {
  const attention = useRead<Attention>(PATH)
  const reread = () => void attention.refetch()
  useLive(
    ['me'],
    {
      pipeline: ({ finished_at: end, status }) => {
        // A manual job waits, or something has failed or was repaired.
        if (end !== null || status === 'manual') reread()
      },
      todos: reread,
      // Its conflicts are gone, or its review is done.
      'merge-request': useSoon(reread),
    },
    reread,
  )
  return (
    <Panel title="Needs you" isFlush actions={<a href={addressOf('home/todos', {})}>All to-dos</a>}>
      <Read of={attention} loading={<Skeleton rows={3} />}>
        {({
          manual_jobs: jobs,
          schedules,
          failed_pipelines: failed,
          merge_requests: stuck,
          reviews,
          todos,
        }) =>
          [jobs, schedules, failed, stuck, reviews, todos].every((list) => list.length === 0) ? (
            <Empty icon={CircleCheck} title="Nothing waits for you." />
          ) : (
            <ul class={styles['items']} aria-label="Needs you">
              {failed.map(({ id, ref, commit, finished_at: end, project }) => (
                <Item
                  key={`pipeline-${id}`}
                  icon={CircleX}
                  tone="failed"
                  href={addressOf('pipelines/pipeline', {
                    project: project.path_with_namespace,
                    id: String(id),
                  })}
                  title={`#${id} failed on ${ref}`}
                  details={
                    <>
                      {project.path_with_namespace} · {commit?.title} · <Time value={end} />
                    </>
                  }
                />
              ))}
              {stuck.map((request) => (
                <Stuck key={`merge-request-${request.id}`} request={request} />
              ))}
              {reviews.map((review) => (
                <Review key={`review-${review.id}`} review={review} />
              ))}
              {schedules.map((schedule) => (
                <Schedule key={`schedule-${schedule.id}`} schedule={schedule} />
              ))}
              {jobs.map((job) => (
                <ManualJob key={`job-${job.id}`} job={job} />
              ))}
              {todos.map((todo) => (
                <TodoItem key={`todo-${todo.id}`} todo={todo} />
              ))}
            </ul>
          )
        }
      </Read>
    </Panel>
  )
}

interface ItemProps {
  icon: IconNode
  tone: 'failed' | 'pending'
  href: string
  title: string
  details: ComponentChildren
  action?: ComponentChildren
}

function Item({ icon, tone, href, title, details, action }: ItemProps) {
  return (
    <li class={styles['item']}>
      <Icon icon={icon} size={18} class={styles[tone]} />
      <div>
        <a href={href} class={classNames(list['title'], styles['title'])}>
          {title}
        </a>
        <p class={styles['details']}>{details}</p>
      </div>
      {action}
    </li>
  )
}

function Stuck({
  request: { title, reference, web_url, project, reason, pipeline_id },
}: {
  request: StuckMergeRequest
}) {
  const pipeline =
    pipeline_id === null
      ? undefined
      : addressOf('pipelines/pipeline', { project: project.path_with_namespace, id: String(pipeline_id) })
  return (
    <Item
      icon={reason === 'conflicts' ? TriangleAlert : CircleX}
      tone="failed"
      href={web_url}
      title={title}
      details={
        <>
          {reference} ·{' '}
          {pipeline === undefined ? (
            'the branches have conflicts'
          ) : (
            <a href={pipeline}>pipeline #{pipeline_id} failed</a>
          )}
        </>
      }
    />
  )
}

function Review({ review: { title, reference, web_url, author, requested_at } }: { review: WantedReview }) {
  return (
    <Item
      icon={GitPullRequestArrow}
      tone="pending"
      href={web_url}
      title={title}
      details={
        <>
          {reference} · by {author?.name ?? 'a deleted account'} · asked <Time value={requested_at} />
        </>
      }
      action={
        <LinkButton size="small" href={`${web_url}/diffs`} aria-label={`Review ${title}`}>
          Review
        </LinkButton>
      }
    />
  )
}

function TodoItem({ todo }: { todo: PendingTodo }) {
  const finish = useAction(async () => {
    await request(`/todos/${todo.id}/mark_as_done`, { method: 'POST' })
    await refresh(PATH)
  }, notifyError)
  return (
    <Item
      icon={ListTodo}
      tone="pending"
      href={todo.web_url}
      title={todo.title}
      details={
        <>
          {todoWords(todo)} · {todo.reference} · <Time value={todo.created_at} />
        </>
      }
      action={
        <Button
          size="small"
          icon={Check}
          isBusy={finish.isBusy}
          aria-label={`Mark as done: ${todo.title}`}
          onClick={() => void finish.run()}
        >
          Done
        </Button>
      }
    />
  )
}

function Schedule({ schedule }: { schedule: FailedSchedule }) {
  const project = schedule.project.path_with_namespace
  return (
    <Item
      icon={CalendarX2}
      tone="failed"
      href={addressOf('schedules/list', { project })}
      title={`Schedule “${schedule.description}” is off`}
      details={
        <>
          {project} · {schedule.last_failure}
        </>
      }
    />
  )
}

function ManualJob({ job }: { job: WaitingJob }) {
  const project = job.project.path_with_namespace
  const [isAsked, setAsked] = useState(false)
  const play = useAction(async () => {
    await request(`${projectApi(project)}/jobs/${job.id}/play`, { method: 'POST' })
    setAsked(false)
    await refresh(PATH, '/pipelines?')
  }, notifyError)
  return (
    <>
      <Item
        icon={CirclePlay}
        tone="pending"
        href={addressOf('pipelines/pipeline', { project, id: String(job.pipeline.id) })}
        title={
          job.environment === null || job.environment === job.name
            ? job.name
            : `${job.name} to ${job.environment}`
        }
        details={
          <>
            {project} · {job.pipeline.ref} · #{job.pipeline.id} · <Time value={job.pipeline.created_at} />
          </>
        }
        action={
          <Button
            size="small"
            icon={Play}
            isBusy={play.isBusy}
            aria-label={`Run ${job.name}`}
            onClick={() => {
              if (job.manual_confirmation === null) void play.run()
              else setAsked(true)
            }}
          >
            Run
          </Button>
        }
      />
      {isAsked && (
        <Dialog
          title={`Run ${job.name}?`}
          onClose={() => setAsked(false)}
          actions={
            <>
              <Button onClick={() => setAsked(false)}>Cancel</Button>
              <Button kind="primary" icon={Play} isBusy={play.isBusy} onClick={() => void play.run()}>
                Run job
              </Button>
            </>
          }
        >
          <p>{job.manual_confirmation}</p>
        </Dialog>
      )}
    </>
  )
}

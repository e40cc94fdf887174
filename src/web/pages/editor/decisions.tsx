import { CircleCheck, CircleDashed, CirclePlay, type IconNode, Timer } from 'lucide'

import type { ExplainedEvent, LintReport } from '../../../coordinator/ci/lint/schema.js'
import { Alert } from '../../kit/alert.js'
import { Badge } from '../../kit/badge.js'
import { Empty } from '../../kit/empty.js'
import { Icon } from '../../kit/icon.js'
import styles from './decisions.module.css'
import { noPipelineReason } from './problems-of.js'
import { decisionWords, ruleWords, valueWords } from './rule-words.js'
import { stagesOf } from './stages-of.js'

type ExplainedJob = ExplainedEvent['jobs'][number]
type Rules = Pick<ExplainedJob, 'rules' | 'variables'>

const ICONS: Record<string, IconNode> = { manual: CirclePlay, delayed: Timer }

interface DecisionsProps {
  report: LintReport
  /** Shows the declaration of a job. */
  onShow: (name: string) => void
}

/** The jobs that the event would run, by stage, each with what decided. */
export function JobsOfEvent({ report, onShow }: DecisionsProps) {
  const { event, jobs: linted = [] } = report
  const reason = noPipelineReason(report)
  if (!event) return <PlainJobs report={report} onShow={onShow} />
  const included = new Map(event.jobs.filter((job) => job.included).map((job) => [job.name, job]))
  const leftOut = event.jobs.filter((job) => !job.included)
  if (linted.length === 0 && reason === undefined) {
    return <Empty icon={CircleDashed} title="The jobs are shown once the file has no errors." />
  }
  return (
    <div class={styles['decisions']}>
      {reason !== undefined && (
        <Alert tone="warning" title="This event would start no pipeline.">
          {reason}
        </Alert>
      )}
      {stagesOf(linted).map((stage) => (
        <section key={stage}>
          <h2>{stage}</h2>
          <ul class={styles['jobs']}>
            {linted
              .filter((job) => job.stage === stage)
              .map(({ name, when, allow_failure: mayFail, environment }) => (
                <li key={name}>
                  <Icon
                    icon={ICONS[when] ?? CircleCheck}
                    class={when in ICONS ? styles['waits'] : styles['runs']}
                  />
                  <JobName name={name} onShow={onShow} />
                  {when !== 'on_success' && <Badge>{when.replaceAll('_', ' ')}</Badge>}
                  {mayFail && when !== 'manual' && <Badge tone="warning">may fail</Badge>}
                  {environment !== null && <Badge tone="accent">{environment}</Badge>}
                  <Decision job={included.get(name)} />
                </li>
              ))}
          </ul>
        </section>
      ))}
      {leftOut.length > 0 && (
        <section>
          <h2>Left out</h2>
          <ul class={styles['jobs']}>
            {leftOut.map((job) => (
              <li key={job.name}>
                <Icon icon={CircleDashed} class={styles['out']} />
                <JobName name={job.name} onShow={onShow} />
                <Decision job={job} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function PlainJobs({ report: { jobs = [] }, onShow }: DecisionsProps) {
  if (jobs.length === 0) return <Empty icon={CircleDashed} title="The file has no jobs yet." />
  return (
    <ul class={styles['jobs']}>
      {jobs.map(({ name }) => (
        <li key={name}>
          <JobName name={name} onShow={onShow} />
        </li>
      ))}
    </ul>
  )
}

function JobName({ name, onShow }: { name: string; onShow: (name: string) => void }) {
  return (
    <button type="button" class={styles['name']} onClick={() => onShow(name)}>
      {name}
    </button>
  )
}

function Decision({ job }: { job: ExplainedJob | undefined }) {
  if (!job || job.reason === 'no_condition') return null
  return <code class={styles['reason']}>{decisionWords(job)}</code>
}

/** For each job that is left out: the rules that were evaluated, and the values that they saw. */
export function WhyNot({ report, onShow }: DecisionsProps) {
  const { event } = report
  if (!event) {
    return (
      <Empty
        icon={CircleDashed}
        title="Rules are evaluated for a branch or tag, and the repository is empty."
      />
    )
  }
  const leftOut = event.jobs.filter((job) => !job.included)
  const isFiltered = event.outcome === 'filtered'
  if (leftOut.length === 0 && !isFiltered) {
    return <Empty icon={CircleCheck} title="This event leaves out no job." />
  }
  return (
    <div class={styles['decisions']}>
      {isFiltered && event.workflow && (
        <section>
          <h2>The rules of the workflow exclude this pipeline</h2>
          <RuleList {...event.workflow} />
        </section>
      )}
      {leftOut.map((job) => (
        <section key={job.name}>
          <h2 class={styles['whyName']}>
            <JobName name={job.name} onShow={onShow} /> <Badge>{job.stage}</Badge>
          </h2>
          {job.rules.length === 0 ? (
            <p class={styles['policy']}>{decisionWords(job)}</p>
          ) : (
            <RuleList {...job} />
          )}
        </section>
      ))}
    </div>
  )
}

function RuleList({ rules, variables }: Rules) {
  return (
    <>
      <ol class={styles['rules']}>
        {rules.map((rule, index) => (
          <li key={index}>
            <code>{ruleWords(rule)}</code>
            {rule.when !== null && <Badge>when: {rule.when}</Badge>}{' '}
            <span class={rule.failed === null ? styles['matched'] : styles['failed']}>
              {rule.failed === null ? 'matches' : `${rule.failed} does not match`}
            </span>
          </li>
        ))}
      </ol>
      {variables.length > 0 && (
        <dl class={styles['values']}>
          {variables.map((variable) => (
            <div key={variable.name}>
              <dt>${variable.name}</dt>
              <dd class={variable.is_set && variable.value ? styles['value'] : styles['unset']}>
                {valueWords(variable)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

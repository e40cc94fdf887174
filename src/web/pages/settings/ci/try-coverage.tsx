import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { TraceSearchEnd, TraceSearchHit } from '../../../../coordinator/ci/jobs/trace/schema.js'
import { requestJson, requestLines } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { Input, Select } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { coverageOfLine } from './coverage-of-line.js'
import styles from './page.module.css'

interface TryCoverageProps {
  project: string
  /** The expression that is saved. */
  saved: string | null
  onClose: () => void
}

interface ListedJob {
  id: number
  name: string
  ref: string
  coverage: number | null
}

/** The newest job that has a coverage, else the newest one that tests. */
function likeliest(jobs: readonly ListedJob[]): ListedJob | undefined {
  return (
    jobs.find(({ coverage }) => coverage !== null) ??
    jobs.find(({ name }) => /test|coverage/i.test(name)) ??
    jobs[0]
  )
}

interface Found {
  expression: string
  job: string
  line: TraceSearchHit | undefined
  coverage: number | undefined
}

/** Tries an expression for the code coverage on the log of a job, and saves it. */
export function TryCoverage({ project, saved, onClose }: TryCoverageProps) {
  const base = projectApi(project)
  const jobs = useRead<ListedJob[]>(`${base}/jobs?scope[]=success&per_page=50`)
  const [expression, setExpression] = useState(saved ?? '')
  const [chosen, setChosen] = useState<string>()
  const [found, setFound] = useState<Found>()
  const job = chosen ?? String(likeliest(jobs.data ?? [])?.id ?? '')
  const attempt = useAction(async () => {
    setFound(undefined)
    setFound({ expression, job, ...(await searchLog(`${base}/jobs/${job}/trace/search`, expression)) })
  })
  const save = useAction(async () => {
    await requestJson(base, { method: 'PUT', body: { build_coverage_regex: expression } })
    await refresh(base)
    notify('The settings were saved')
    onClose()
  })
  const isTried = found?.expression === expression && found.job === job
  return (
    <FormDialog
      title="Try an expression"
      action="Try"
      isBusy={attempt.isBusy}
      error={attempt.error ?? save.error}
      isIncomplete={expression === '' || job === ''}
      onSubmit={() => void attempt.run()}
      onClose={onClose}
    >
      <Input
        label="Expression"
        value={expression}
        onInput={setExpression}
        required
        spellcheck={false}
        autoComplete="off"
        placeholder="TOTAL.+ (\d+\.\d+)%"
        help="In RE2 syntax. The last line that matches counts, and the first group in it."
      />
      <Read of={jobs}>
        {(listed) =>
          listed.length === 0 ? (
            <p>There is no log to try it on: no job has succeeded yet.</p>
          ) : (
            <Select
              label="Log of the job"
              value={job}
              onInput={setChosen}
              choices={listed.map(({ id, name, ref }) => ({
                value: String(id),
                label: `${name} on ${ref} (#${id})`,
              }))}
            />
          )
        }
      </Read>
      {isTried && <Outcome project={project} found={found} />}
      {isTried && found.line && expression !== saved && (
        <div>
          <Button isBusy={save.isBusy} onClick={() => void save.run()}>
            Save this expression
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

function Outcome({ project, found: { line, coverage, job } }: { project: string; found: Found }) {
  if (!line) return <Alert tone="warning" title="No line of the log matches." />
  const address = `${addressOf('jobs/job', { project, id: job })}#L${line.line}`
  return (
    <Alert
      tone={coverage === undefined ? 'warning' : 'info'}
      title={coverage === undefined ? 'The match has no number.' : `The coverage is ${coverage}%.`}
    >
      <a class={styles['line']} href={address}>
        Line {line.line}
      </a>
      : <code class={styles['key']}>{line.text}</code>
    </Alert>
  )
}

type SearchLine = TraceSearchHit | { searched_to: number } | TraceSearchEnd

const MAX_LINES = 10_000

/** The last line with a number; without one, the last line that matches. */
async function searchLog(path: string, expression: string): Promise<Pick<Found, 'line' | 'coverage'>> {
  const query = queryOf({ q: expression, regexp: true, case: true, limit: MAX_LINES })
  let line: TraceSearchHit | undefined
  let coverage: number | undefined
  for await (const response of requestLines<SearchLine>(path + query)) {
    if (!('line' in response)) continue
    const number = coverageOfLine(expression, response.text)
    if (number === undefined && coverage !== undefined) continue
    line = response
    coverage = number
  }
  return { line, coverage }
}

import { Play, Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { LintReport } from '../../../../coordinator/ci/lint/schema.js'
import type { Pipeline } from '../../../../coordinator/ci/pipelines/schema.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { Badge } from '../../../kit/badge.js'
import { Button, IconButton } from '../../../kit/button.js'
import { Field, Input, Select } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import styles from './page.module.css'

interface Variable {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
}

const NO_VARIABLE: Variable = { key: '', value: '', variable_type: 'env_var' }

/** Starts a pipeline by hand, beside what it would run. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Run pipeline · ${project}`)
  const { isLoaded, may, reasonAgainst } = useProjectAbilities(project)
  const record = useRead<FullProject>(projectApi(project))
  if (isLoaded && !may('run_pipelines')) {
    return <Alert tone="warning">Developers and above can run pipelines.</Alert>
  }
  return (
    <>
      <PageHeader title="Run pipeline" />
      <Read of={record}>
        {({ default_branch: branch }) => (
          <Form project={project} defaultBranch={branch ?? 'main'} reason={reasonAgainst('run_pipelines')} />
        )}
      </Read>
    </>
  )
}

function Form({
  project,
  defaultBranch,
  reason,
}: {
  project: string
  defaultBranch: string
  reason: string | undefined
}) {
  const [search, setSearch] = useSearch()
  const ref = search.get('ref') ?? defaultBranch
  const [variables, setVariables] = useState<readonly Variable[]>(() => variablesIn(search))
  const refs =
    useRead<{ name: string }[]>(`${projectApi(project)}/repository/branches?per_page=100`).data ?? []
  const tags = useRead<{ name: string }[]>(`${projectApi(project)}/repository/tags?per_page=100`).data ?? []
  const given = variables.filter(({ key }) => key !== '')
  const run = useAction(async () => {
    const pipeline = await requestJson<Pipeline>(`${projectApi(project)}/pipeline`, {
      method: 'POST',
      body: { ref, variables: given },
    })
    await refresh(`${projectApi(project)}/pipelines`)
    navigate(addressOf('pipelines/pipeline', { project, id: String(pipeline.id) }))
  })
  const change = (index: number, changes: Partial<Variable>) =>
    setVariables(
      variables.map((variable, place) => (place === index ? { ...variable, ...changes } : variable)),
    )
  return (
    <div class={styles['columns']}>
      <form
        class={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void run.run()
        }}
      >
        {run.error && <Alert tone="error" title={run.error.message} />}
        <Field label="Branch or tag">
          {(ids) => (
            <>
              <input
                {...ids}
                class={styles['ref']}
                list="refs"
                value={ref}
                required
                spellcheck={false}
                onChange={({ currentTarget }) => setSearch({ ref: currentTarget.value })}
              />
              <datalist id="refs">
                {[...refs, ...tags].map(({ name }) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <fieldset class={styles['variables']}>
          <legend>Variables</legend>
          {variables.map(({ key, value, variable_type: type }, index) => (
            <div key={index} class={styles['variable']}>
              <Select
                label={`Type of variable ${index + 1}`}
                hidesLabel
                value={type}
                onInput={(chosen) => change(index, { variable_type: chosen === 'file' ? 'file' : 'env_var' })}
                choices={[
                  { value: 'env_var', label: 'Variable' },
                  { value: 'file', label: 'File' },
                ]}
              />
              <Input
                label={`Key of variable ${index + 1}`}
                hidesLabel
                placeholder="Key"
                value={key}
                spellcheck={false}
                autoComplete="off"
                onInput={(text) => change(index, { key: text })}
              />
              <Input
                label={`Value of variable ${index + 1}`}
                hidesLabel
                placeholder="Value"
                value={value}
                spellcheck={false}
                autoComplete="off"
                onInput={(text) => change(index, { value: text })}
              />
              <IconButton
                icon={Trash2}
                label={`Remove variable ${index + 1}`}
                onClick={() => setVariables(variables.filter((_, place) => place !== index))}
              />
            </div>
          ))}
          <div>
            <Button size="small" icon={Plus} onClick={() => setVariables([...variables, NO_VARIABLE])}>
              Add variable
            </Button>
          </div>
        </fieldset>
        <div>
          <Button kind="primary" type="submit" icon={Play} isBusy={run.isBusy} reason={reason}>
            Run pipeline
          </Button>
        </div>
      </form>
      <DryRun project={project} gitRef={ref} />
    </div>
  )
}

/** What the pipeline would contain, without variables of the form. */
function DryRun({ project, gitRef }: { project: string; gitRef: string }) {
  const query = queryOf({ dry_run: true, include_jobs: true, content_ref: gitRef, dry_run_ref: gitRef })
  const report = useRead<LintReport>(`${projectApi(project)}/ci/lint${query}`, { keepsPrevious: true })
  return (
    <Panel title="Jobs that would run">
      <Read of={report}>
        {({ errors, warnings, jobs = [] }) => (
          <div class={styles['report']}>
            {errors.map((error) => (
              <Alert key={error} tone="error">
                {error}
              </Alert>
            ))}
            {warnings.map((warning) => (
              <Alert key={warning} tone="warning">
                {warning}
              </Alert>
            ))}
            {stagesOf(jobs).map(({ stage, names }) => (
              <section key={stage}>
                <h3>{stage}</h3>
                <ul class={styles['jobs']}>
                  {names.map(({ name, when }) => (
                    <li key={name}>
                      {name} {when !== 'on_success' && <Badge>{when.replaceAll('_', ' ')}</Badge>}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {errors.length === 0 && jobs.length === 0 && <p>No job would run.</p>}
          </div>
        )}
      </Read>
    </Panel>
  )
}

type Jobs = NonNullable<LintReport['jobs']>

function stagesOf(jobs: Jobs): { stage: string; names: Jobs }[] {
  const stages = new Map<string, Jobs>()
  for (const job of jobs) stages.set(job.stage, [...(stages.get(job.stage) ?? []), job])
  return [...stages].map(([stage, names]) => ({ stage, names }))
}

/** `?var[KEY]=value` fills the form, so that a link can prepare a pipeline. */
function variablesIn(search: URLSearchParams): Variable[] {
  const found = [...search].flatMap(([name, value]): Variable[] => {
    const key = /^var\[(.+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [{ ...NO_VARIABLE, key, value }]
  })
  return found.length > 0 ? found : [NO_VARIABLE]
}

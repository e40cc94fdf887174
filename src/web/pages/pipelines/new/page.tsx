import { Play, Terminal } from 'lucide'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Pipeline } from '../../../../coordinator/ci/pipelines/schema.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { CodeBlock } from '../../../kit/code-block.js'
import { Dialog } from '../../../kit/dialog.js'
import { PageHeader } from '../../../kit/panel.js'
import { InputFields } from '../../../records/pipeline-fields/input-fields.js'
import { PipelineForm } from '../../../records/pipeline-fields/pipeline-form.js'
import { RefField } from '../../../records/pipeline-fields/ref-field.js'
import { usePreview } from '../../../records/pipeline-fields/use-preview.js'
import { DescribedVariableFields, VariableFields } from '../../../records/pipeline-fields/variable-fields.js'
import {
  type GivenVariable,
  pipelineCommand,
  variablesIn,
} from '../../../records/pipeline-fields/variables-text.js'
import styles from './page.module.css'

/** Starts a pipeline by hand, beside what it would run. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Run pipeline · ${project}`)
  const abilities = useProjectAbilities(project)
  const record = useRead<FullProject>(projectApi(project))
  return (
    <>
      <PageHeader title="Run pipeline" />
      <Allowed abilities={abilities} to="run_pipelines" otherwise="Developers and above can run pipelines.">
        <Read of={record}>
          {({ default_branch: branch }) => (
            <Form
              project={project}
              defaultBranch={branch ?? 'main'}
              reason={abilities.reasonAgainst('run_pipelines')}
            />
          )}
        </Read>
      </Allowed>
    </>
  )
}

interface FormProps {
  project: string
  defaultBranch: string
  reason: string | undefined
}

function Form({ project, defaultBranch, reason }: FormProps) {
  const [search, setSearch] = useSearch()
  const ref = search.get('ref') ?? defaultBranch
  const [variables, setVariables] = useState<readonly GivenVariable[]>(() => variablesIn(search))
  const [described, setDescribed] = useState<Record<string, string>>({})
  const [inputs, setInputs] = useState<Record<string, string>>({})
  const [showsCommand, setShowsCommand] = useState(false)
  // Free variables win over those that the CI file describes.
  const own = variables.filter(({ key }) => key !== '')
  const given = [
    ...Object.entries(described)
      .filter(([key]) => own.every((variable) => variable.key !== key))
      .map(([key, value]): GivenVariable => ({ key, value, variable_type: 'env_var' })),
    ...own,
  ]
  const state = usePreview(project, { ref, source: 'web', inputs, variables: given })
  const { preview } = state
  const run = useAction(async () => {
    const pipeline = await requestJson<Pipeline>(`${projectApi(project)}/pipeline`, {
      method: 'POST',
      body: { ref, inputs, variables: given },
    })
    await refresh(`${projectApi(project)}/pipelines`)
    navigate(addressOf('pipelines/pipeline', { project, id: String(pipeline.id) }))
  })
  return (
    <>
      <PipelineForm action={run} preview={state}>
        <RefField project={project} value={ref} onChange={(name) => setSearch({ ref: name })} />
        <InputFields offered={preview?.inputs ?? []} values={inputs} onInput={setInputs} />
        {preview?.may_set_variables === false ? (
          <p class={styles['quiet']}>Your role may not set variables of pipelines in this project.</p>
        ) : (
          <>
            <DescribedVariableFields
              offered={preview?.variables ?? []}
              values={described}
              onInput={(key, value) => setDescribed({ ...described, [key]: value })}
            />
            <VariableFields variables={variables} onChange={setVariables} />
          </>
        )}
        <div class={styles['buttons']}>
          <Button kind="primary" type="submit" icon={Play} isBusy={run.isBusy} reason={reason}>
            Run pipeline
          </Button>
          <Button icon={Terminal} onClick={() => setShowsCommand(true)}>
            Copy as command
          </Button>
        </div>
      </PipelineForm>
      {showsCommand && (
        <Dialog
          title="Run this pipeline from a shell"
          onClose={() => setShowsCommand(false)}
          actions={<Button onClick={() => setShowsCommand(false)}>Close</Button>}
        >
          <p>
            <code>$TOKEN</code> is an access token with the scope <code>api</code>.
          </p>
          <CodeBlock
            label="command"
            text={pipelineCommand(location.origin, project, { ref, inputs, variables: given })}
          />
        </Dialog>
      )}
    </>
  )
}

import { useState } from 'preact/hooks'

import type { DetailedJob } from '../../../../coordinator/ci/jobs/schema.js'
import type { OfferedInput } from '../../../../coordinator/ci/lint/preview-schema.js'
import { useAction } from '../../../api/use-action.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { InputFields } from '../../../records/pipeline-fields/input-fields.js'
import { VariableFields } from '../../../records/pipeline-fields/variable-fields.js'
import { type GivenVariable, NO_VARIABLE } from '../../../records/pipeline-fields/variables-text.js'

interface RunDialogProps {
  job: DetailedJob
  action: 'play' | 'retry'
  /** Whether to begin with the variables of the attempt, and an empty one. */
  asksForVariables: boolean
  /** Runs the action, and closes the dialog. */
  onRun: (body: object) => Promise<void>
  onClose: () => void
}

/** Asks for the confirmation, the inputs and the variables of a run. */
export function RunDialog({ job, action, asksForVariables, onRun, onClose }: RunDialogProps) {
  const [inputs, setInputs] = useState<Record<string, string>>({})
  const [variables, setVariables] = useState<readonly GivenVariable[]>(
    asksForVariables ? [...variablesBefore(job), NO_VARIABLE] : [],
  )
  const run = useAction(() =>
    onRun({
      [action === 'play' ? 'job_inputs' : 'inputs']: inputs,
      job_variables_attributes: variables.filter(({ key }) => key !== ''),
    }),
  )
  return (
    <FormDialog
      title={action === 'play' ? `Run ${job.name}?` : `Retry ${job.name}?`}
      action={action === 'play' ? 'Run' : 'Retry'}
      isBusy={run.isBusy}
      error={run.error}
      onSubmit={() => void run.run()}
      onClose={onClose}
    >
      {action === 'play' && job.manual_confirmation !== null && <p>{job.manual_confirmation}</p>}
      <InputFields offered={job.inputs.map(offeredInput)} values={inputs} onInput={setInputs} />
      <VariableFields variables={variables} onChange={setVariables} />
    </FormDialog>
  )
}

/** Those of the attempt, to be changed; without their values for those who may not read them. */
function variablesBefore({ variables, variable_values: values }: DetailedJob): GivenVariable[] {
  return (values ?? variables.map((key) => ({ key, value: '' }))).map((known) => ({
    ...NO_VARIABLE,
    ...known,
  }))
}

/** An input of the form, with its value of this attempt as the default. */
function offeredInput({
  name,
  type,
  value,
  description,
  options,
}: DetailedJob['inputs'][number]): OfferedInput {
  return { name, type, description, options, default: value, required: false, regex: null, problem: null }
}

import type { Step } from '../run.js'
import { SourceRunner, SourceVariable, type SourceVariable as Variable } from '../source/records.js'
import { listStep } from './list-step.js'

/** Variables are listed for the user, who sets them: their values are not read, and a variable without value breaks jobs. */
export const variableStep: Step = listStep({
  kind: 'variables',
  path: 'variables',
  schema: SourceVariable,
  keyOf: ({ key, environment_scope }) => `${key} ${environment_scope ?? '*'}`,
  nameOf: ({ key }) => key,
  decide: async (_run, variable) => ({
    outcome: 'left_out',
    reason: `set its value under Settings: ${attributesOf(variable)}`,
  }),
})

function attributesOf(variable: Variable): string {
  const { variable_type, environment_scope, masked, hidden, raw } = variable
  return [
    variable_type === 'file' ? 'file' : 'variable',
    ...(environment_scope && environment_scope !== '*' ? [`environment scope ${environment_scope}`] : []),
    ...(variable.protected ? ['protected'] : []),
    ...(hidden ? ['masked and hidden'] : masked ? ['masked'] : []),
    ...(raw ? ['raw'] : []),
  ].join(', ')
}

const runners = (path: string): Step =>
  listStep({
    kind: 'runners',
    path,
    schema: SourceRunner,
    keyOf: ({ id }) => id,
    nameOf: ({ id, description }) => description ?? String(id),
    decide: async () => ({ outcome: 'left_out', reason: 'register it here with a new token' }),
  })

export const projectRunnerStep = runners('runners?type=project_type')
export const groupRunnerStep = runners('runners?type=group_type')

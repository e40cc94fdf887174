import { shellWord } from '../../kit/shell-word.js'

/** A variable that a user gives to a pipeline. */
export interface GivenVariable {
  key: string
  value: string
  variable_type: 'env_var' | 'file'
}

export const NO_VARIABLE: GivenVariable = { key: '', value: '', variable_type: 'env_var' }

/** `?var[KEY]=value` and `?file_var[KEY]=text` fill a form, so that a link can prepare a pipeline. */
export function variablesIn(search: URLSearchParams): GivenVariable[] {
  return [...search].flatMap(([name, value]): GivenVariable[] => {
    const [, kind, key] = /^(var|file_var)\[(.+)\]$/.exec(name) ?? []
    if (key === undefined) return []
    return [{ key, value, variable_type: kind === 'var' ? 'env_var' : 'file' }]
  })
}

/** The value of an input as a field shows it; lists as JSON. */
export function inputText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The given values after one was typed. An empty field of a number or list has no value, so that the default counts. */
export function withInput(
  values: Readonly<Record<string, string>>,
  { name, type }: { name: string; type: string },
  value: string,
): Record<string, string> {
  const { [name]: _, ...others } = values
  return value.trim() === '' && type !== 'string' ? others : { ...others, [name]: value }
}

interface NewPipeline {
  ref: string
  inputs: Readonly<Record<string, string>>
  variables: readonly GivenVariable[]
}

/** A shell command that creates a pipeline by the API, with an access token in `$TOKEN`. */
export function pipelineCommand(
  origin: string,
  project: string,
  { ref, inputs, variables }: NewPipeline,
): string {
  const body = {
    ref,
    ...(Object.keys(inputs).length > 0 && { inputs }),
    ...(variables.length > 0 && { variables }),
  }
  return [
    'curl --fail-with-body --request POST',
    '--header "PRIVATE-TOKEN: $TOKEN"',
    "--header 'Content-Type: application/json'",
    `--data ${shellWord(JSON.stringify(body))}`,
    shellWord(`${origin}/api/v4/projects/${encodeURIComponent(project)}/pipeline`),
  ].join(' \\\n  ')
}

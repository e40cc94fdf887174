export interface CiPushOptions {
  /** `-o ci.skip`: creates the pipeline as skipped. */
  skip: boolean
  /** `-o ci.no_pipeline`: creates no pipeline. */
  noPipeline: boolean
  /** `-o ci.variable=<key>=<value>`; the last value of a key is used. */
  variables: { key: string; value: string; variable_type: 'env_var' }[]
  /** `-o ci.input=<name>=<value>`; the last value of a name is used. */
  inputs: Record<string, string>
}

/** Push options for pipelines (API, B; CI language, 9.3); other options are ignored. */
export function ciPushOptions(options: string[]): CiPushOptions {
  const variables = assignments(options, 'ci.variable=')
  return {
    skip: options.includes('ci.skip'),
    noPipeline: options.includes('ci.no_pipeline'),
    variables: [...variables].map(([key, value]) => ({ key, value, variable_type: 'env_var' })),
    inputs: Object.fromEntries(assignments(options, 'ci.input=')),
  }
}

/** `<prefix><name>=<value>`; the value may contain further equals signs. */
function assignments(options: string[], prefix: string): Map<string, string> {
  const given = options
    .filter((option) => option.startsWith(prefix))
    .map((option) => option.slice(prefix.length))
  return new Map(
    given.flatMap((text): [string, string][] => {
      const at = text.indexOf('=')
      return at > 0 ? [[text.slice(0, at), text.slice(at + 1)]] : []
    }),
  )
}

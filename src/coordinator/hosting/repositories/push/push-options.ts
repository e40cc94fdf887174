export interface CiPushOptions {
  /** `-o ci.skip`: the pipeline is recorded as skipped. */
  skip: boolean
  /** `-o ci.no_pipeline`: there is none. */
  noPipeline: boolean
  /** `-o ci.variable=<key>=<value>`; the last value of a key counts. */
  variables: { key: string; value: string; variable_type: 'env_var' }[]
  /** `-o ci.input=<name>=<value>`; the last value of a name counts. */
  inputs: Record<string, string>
}

/** What `git push -o` says about pipelines (API, B; CI language, 9.3); other options are not for us. */
export function ciPushOptions(options: string[]): CiPushOptions {
  const variables = assignments(options, 'ci.variable=')
  return {
    skip: options.includes('ci.skip'),
    noPipeline: options.includes('ci.no_pipeline'),
    variables: [...variables].map(([key, value]) => ({ key, value, variable_type: 'env_var' })),
    inputs: Object.fromEntries(assignments(options, 'ci.input=')),
  }
}

/** `<prefix><name>=<value>`; the value may hold further signs of equality. */
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

export interface CiPushOptions {
  /** `-o ci.skip`: the pipeline is recorded as skipped. */
  skip: boolean
  variables: { key: string; value: string; variable_type: 'env_var' }[]
}

/** What `git push -o` says about pipelines (API gaps, B); other options are not for us. */
export function ciPushOptions(options: string[]): CiPushOptions {
  const variables = new Map<string, string>()
  for (const option of options) {
    const [, key, value] = /^ci\.variable=([^=]+)=(.*)$/s.exec(option) ?? []
    if (key !== undefined && value !== undefined) variables.set(key, value)
  }
  return {
    skip: options.includes('ci.skip'),
    variables: [...variables].map(([key, value]) => ({ key, value, variable_type: 'env_var' })),
  }
}

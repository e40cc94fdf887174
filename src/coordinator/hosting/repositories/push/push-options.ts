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

/** Push options for the merge request of the pushed branch (API, B). */
export interface MergeRequestPushOptions {
  create: boolean
  target?: string
  /** Full path. */
  targetProject?: string
  title?: string
  description?: string
  draft: boolean
  removeSourceBranch: boolean
  autoMerge: boolean
  labels: string[]
  removedLabels: string[]
  milestone?: string
  /** Usernames. */
  assigned: string[]
  unassigned: string[]
}

const MERGE_REQUEST = 'merge_request.'

/** Undefined without such options. */
export function mergeRequestPushOptions(options: readonly string[]): MergeRequestPushOptions | undefined {
  const own = options
    .filter((option) => option.startsWith(MERGE_REQUEST))
    .map((option) => option.slice(MERGE_REQUEST.length))
  if (own.length === 0) return undefined
  const all = (name: string) =>
    own.filter((option) => option.startsWith(`${name}=`)).map((option) => option.slice(name.length + 1))
  const one = (key: string, name: string) => {
    const value = all(name).at(-1)
    // A push option has one line.
    return value === undefined ? {} : { [key]: value.replaceAll('\\n', '\n') }
  }
  return {
    create: own.includes('create'),
    draft: own.includes('draft'),
    removeSourceBranch: own.includes('remove_source_branch'),
    autoMerge: own.includes('merge_when_pipeline_succeeds') || own.includes('auto_merge'),
    labels: all('label'),
    removedLabels: all('unlabel'),
    assigned: all('assign'),
    unassigned: all('unassign'),
    ...one('target', 'target'),
    ...one('targetProject', 'target_project'),
    ...one('title', 'title'),
    ...one('description', 'description'),
    ...one('milestone', 'milestone'),
  }
}

/** One variable of one source; the same name may come from several (CI language, 8.1 and 8.2). */
export interface ContextVariable {
  key: string
  value: string
  /** References inside the value are left alone. */
  raw?: boolean
  masked?: boolean
  /** The job gets the path of a file with the value. */
  file?: boolean
  protected?: boolean
  /** Environments that see it: a name, or a pattern with `*`; absent = `*`. */
  environmentScope?: string
}

/** What is known of an event besides the file, each list with the lowest precedence first. */
export interface ContextVariables {
  /** Of this server, the project, the commit and the pipeline, as far as known before there are jobs. */
  predefined: readonly ContextVariable[]
  /** More of these, that jobs see but neither `include` nor `workflow` (CI language, 8.7, phase R). */
  predefinedForJobs?: readonly ContextVariable[]
  /** `GITLAB_USER_*`. */
  user: readonly ContextVariable[]
  /** Instance, groups from the outermost on, project; within one of them the most specific environment scope last. */
  settings: readonly ContextVariable[]
  /** Given to this pipeline: trigger, API, push option, schedule. */
  pipeline: readonly ContextVariable[]
}

export const NO_CONTEXT_VARIABLES: ContextVariables = { predefined: [], user: [], settings: [], pipeline: [] }

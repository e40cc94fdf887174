/** One variable of one source; the same name may come from several (CI language, 8.1 and 8.2). */
export interface ContextVariable {
  key: string
  value: string
  /** References inside the value are not expanded. */
  raw?: boolean
  masked?: boolean
  /** The job gets the path of a file with the value. */
  file?: boolean
  protected?: boolean
  /** Environments that see it: a name, or a pattern with `*`; absent = `*`. */
  environmentScope?: string
}

/** Variables of an event from outside the CI file, lowest precedence first in each list. */
export interface ContextVariables {
  /**
   * Variables of the server, the project, the commit and the pipeline that are known before there are jobs.
   */
  predefined: readonly ContextVariable[]
  /** More of these, that jobs see but neither `include` nor `workflow` (CI language, 8.7, phase R). */
  predefinedForJobs?: readonly ContextVariable[]
  /** `GITLAB_USER_*`. */
  user: readonly ContextVariable[]
  /**
   * Variables of the instance, the groups from the root on, and the project. Within one level, the most
   * specific environment scope comes last.
   */
  settings: readonly ContextVariable[]
  /** Set for this pipeline by a trigger, the API, a push option or a schedule. */
  pipeline: readonly ContextVariable[]
}

/** A commit of a project that the running user may read. */
export interface ProjectCommit {
  /** `group/project`. */
  projectPath: string
  /** 40 hexadecimal digits. */
  sha: string
}

/** A file of a repository. */
export interface RepositoryFile {
  commit: ProjectCommit
  /** Without a slash in front. */
  path: string
}

/** The location of a CI file. */
export interface ConfigOrigin {
  /** The name of the file in problems: its path or URL. */
  file: string
  /** The commit of its local files; absent = none, as for a URL. */
  commit?: ProjectCommit
  /**
   * Whether it may include artifacts of the parent pipeline, as the CI file of a trigger job may (CI
   * language, 4.1).
   */
  mayIncludeArtifacts?: boolean
}

/**
 * All resources outside the compiled text that a CI file can reference. The compiler does no I/O itself: the
 * coordinator reads from its repositories, the command line from the working directory. For a file that
 * exists but must not be read, for example because of its size, a source throws `ConfigError`.
 */
export interface ConfigSources {
  /** Number of files that may be included; absent = the usual one. */
  maxIncludes?: () => Promise<number>
  /** Text of a file in a commit; undefined if it does not exist. */
  readFile(commit: ProjectCommit, path: string): Promise<string | undefined>
  /** Paths of all files of a commit, in the order of its tree. */
  listFiles(commit: ProjectCommit): Promise<readonly string[]>
  /** A project by its path, at a branch, tag or commit, or at the head of its default branch. */
  findProject(path: string, ref: string | undefined): Promise<ProjectCommit | 'not-found' | 'no-such-ref'>
  /**
   * Paths that the event changed, with old and new names of renamed files: those of the push, or of the diff of
   * the merge request. Undefined if the event has no such list (CI language, 7.4).
   */
  changedFiles(): Promise<readonly string[] | undefined>
  /** Paths changed since the common ancestor with `ref`; undefined if the ref does not exist. */
  changedFilesSince(ref: string): Promise<readonly string[] | undefined>
  /** The text at a URL; a copy that was fetched at most `maxAgeSeconds` ago may be reused. */
  fetchRemote(url: string, maxAgeSeconds?: number): Promise<RemoteText>
  /** A template by name, for example `Nodejs.gitlab-ci.yml`; undefined if there is none. */
  readTemplate(name: string): Promise<string | undefined>
  /** The names that `readTemplate` knows, for the hint at one that is missing; absent = no hint. */
  listTemplates?(): Promise<readonly string[]>
  /**
   * The commit for a component version: a tag, branch, commit, `~latest`, `1` or `1.2` (CI language, 4.5).
   */
  findComponentVersion(projectPath: string, version: string): Promise<ProjectCommit | ComponentProblem>
  /** The text of an artifact file of a job in the parent pipeline; undefined if there is none. */
  readArtifact(job: string, path: string): Promise<string | undefined>
  /**
   * Allocates the number of the pipeline within its project. Called once, after the workflow has accepted the
   * pipeline (CI language, 8.7, `CI_PIPELINE_IID`). Absent if no pipeline will be created.
   */
  pipelineIid?(): Promise<number>
}

/** The content, or the failure as part of a sentence (CI language, 4.6). */
export type RemoteText = { kind: 'text'; text: Buffer } | { kind: 'failed'; reason: string }

export type ComponentProblem = 'not-found' | 'no-such-version' | 'not-in-catalog'

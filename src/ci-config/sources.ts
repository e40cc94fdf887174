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

/** Where the text of a CI file was found. */
export interface ConfigOrigin {
  /** What problems call the file: its path, its address. */
  file: string
  /** Where its local files are; absent = it has none, as behind an address. */
  commit?: ProjectCommit
  /** Whether it may include what jobs of the parent pipeline left: the text of a trigger job (CI language, 4.1). */
  mayIncludeArtifacts?: boolean
}

/**
 * Everything outside the compiled text that a CI file can ask for. The compiler does no I/O of its own: the coordinator
 * answers from its repositories, the command line from the working directory. A file that is there and is not to be read,
 * being too large for instance, is answered by a `ConfigError`.
 */
export interface ConfigSources {
  /** Text of a file of a commit; undefined when it has none. */
  readFile(commit: ProjectCommit, path: string): Promise<string | undefined>
  /** Paths of all files of a commit, in the order of its tree. */
  listFiles(commit: ProjectCommit): Promise<readonly string[]>
  /** A project by its path, at a branch, tag or commit, or at the head of its default branch. */
  findProject(path: string, ref: string | undefined): Promise<ProjectCommit | 'not-found' | 'no-such-ref'>
  /**
   * Paths that the event changed, old and new ones of renamed files; undefined when the event has no such list
   * (CI language, 7.4).
   */
  changedFiles(): Promise<readonly string[] | undefined>
  /** Paths changed since the commit left `ref`; undefined when there is no such ref. */
  changedFilesSince(ref: string): Promise<readonly string[] | undefined>
  /** Text at an address of the network; one that was fetched at most `maxAgeSeconds` ago may be given again. */
  fetchRemote(url: string, maxAgeSeconds?: number): Promise<RemoteText>
  /** A template by its name, for example `Nodejs.gitlab-ci.yml`; undefined when there is none. */
  readTemplate(name: string): Promise<string | undefined>
  /**
   * The commit that a version of a component stands for: a tag, branch, commit, `~latest`, `1` or `1.2`
   * (CI language, 4.5).
   */
  findComponentVersion(projectPath: string, version: string): Promise<ProjectCommit | ComponentProblem>
  /** Text of a file that a job of the parent pipeline left; undefined when there is none. */
  readArtifact(job: string, path: string): Promise<string | undefined>
  /**
   * The number of the pipeline within its project, which it has from now on: asked once, when the workflow wants a pipeline
   * (CI language, 8.7, `CI_PIPELINE_IID`). Absent where no pipeline is to come of it.
   */
  pipelineIid?(): Promise<number>
}

/** The bytes, or what the fetching ended with, as a part of a sentence (CI language, 4.6). */
export type RemoteText = { kind: 'text'; text: Buffer } | { kind: 'failed'; reason: string }

export type ComponentProblem = 'not-found' | 'no-such-version' | 'not-in-catalog'

/** Where the CI file of a project is. */
export type CiFile =
  | { kind: 'own'; path: string }
  | { kind: 'project'; path: string; project: string; ref: string | undefined }
  | { kind: 'remote'; url: string }

const DEFAULT = '.gitlab-ci.yml'

/** Reads the setting of a project: a path, `path@group/project`, `path@group/project:ref` or a URL. */
export function ciFileOf(setting: string | null | undefined): CiFile {
  const text = setting?.trim() ?? ''
  if (text === '') return { kind: 'own', path: DEFAULT }
  if (/^https?:\/\//.test(text)) return { kind: 'remote', url: text }
  const [, path, project, ref] = /^(.+)@([^@:]+)(?::(.+))?$/.exec(text) ?? []
  if (path !== undefined && project !== undefined) return { kind: 'project', path, project, ref }
  return { kind: 'own', path: text.replace(/^\/+/, '') }
}

/** What a new CI file begins with. */
export const FIRST_FILE = `# Jobs of one stage run side by side; a stage starts when the one before it has succeeded.
stages: [build, test]

build:
  stage: build
  script:
    - echo "Build the project here"

test:
  stage: test
  script:
    - echo "Test it here"
`

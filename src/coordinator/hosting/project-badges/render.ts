import type { Project } from '../../access/caller.js'

/** Values of placeholders; a placeholder without a value is left unchanged. */
export type Placeholders = Partial<Record<string, string>>

/** Placeholders of a project whose default branch is at `commitSha` (API, C4). */
export function placeholdersOf(project: Project, commitSha: string | undefined): Placeholders {
  const { id, name, full_path, path, default_branch } = project
  return {
    project_path: full_path,
    project_id: String(id),
    project_title: name,
    project_name: path,
    project_namespace: full_path.slice(0, full_path.lastIndexOf('/')),
    ...(default_branch === null ? {} : { default_branch }),
    ...(commitSha === undefined ? {} : { commit_sha: commitSha }),
  }
}

export function render(address: string, placeholders: Placeholders): string {
  return address.replace(/%\{(\w+)\}/g, (text, name: string) => {
    const value = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined
    return value === undefined ? text : value.split('/').map(encodeURIComponent).join('/')
  })
}

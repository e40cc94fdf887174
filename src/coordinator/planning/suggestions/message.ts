import type { Project, User } from '../../access/caller.js'

const TEMPLATE = 'Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)'

/** Message of a commit of suggestions, from the template of the project or the default. */
export function suggestionMessage(
  project: Pick<Project, 'name' | 'path' | 'suggestion_commit_message'>,
  user: Pick<User, 'name' | 'username'>,
  { branch, paths, count }: { branch: string; paths: readonly string[]; count: number },
): string {
  const values: Record<string, string> = {
    branch_name: branch,
    file_path: paths[0] ?? '',
    file_paths: paths.join(', '),
    files_count: String(paths.length),
    project_name: project.name,
    project_path: project.path,
    suggestions_count: String(count),
    user_full_name: user.name,
    username: user.username,
  }
  const template = project.suggestion_commit_message || TEMPLATE
  return template.replace(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

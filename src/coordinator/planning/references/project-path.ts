/**
 * Full path of the project that a reference names, from the full path of the project of its text. A path without a
 * group is that of a project beside it. Undefined if the text belongs to no project and the reference needs one.
 */
export function projectPathOf(
  { project }: { project?: string },
  context: string | undefined,
): string | undefined {
  if (project === undefined) return context
  if (project.includes('/')) return project
  return context === undefined ? undefined : `${context.slice(0, context.lastIndexOf('/'))}/${project}`
}

/** Parts of a project's address that once followed its path directly, and now follow `/-/`. */
const MOVED = new Set([
  'blame',
  'blob',
  'branches',
  'commit',
  'commits',
  'compare',
  'environments',
  'issues',
  'jobs',
  'labels',
  'merge_requests',
  'milestones',
  'pipeline_schedules',
  'pipelines',
  'project_members',
  'raw',
  'releases',
  'settings',
  'snippets',
  'tags',
  'tree',
  'wikis',
])

/**
 * The project and the present address for an address without `/-/`, such as `/group/app/pipelines/1`. There may be several
 * projects that it could mean. The shortest path comes first.
 */
export function presentAddresses(pathname: string): { project: string; address: string }[] {
  if (pathname.includes('/-/')) return []
  const names = pathname.slice(1).split('/')
  return names.flatMap((name, index) =>
    index >= 2 && MOVED.has(name)
      ? [
          {
            project: names.slice(0, index).join('/'),
            address: `/${[...names.slice(0, index), '-', ...names.slice(index)].join('/')}`,
          },
        ]
      : [],
  )
}

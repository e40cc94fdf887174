import type { Found } from '../../frame/found.js'
import { useLoaded } from '../../frame/use-loaded.js'
import { OverviewSkeleton } from './overview-skeleton.js'

/**
 * The page at the path of a project, a group or a user. Each is a module of its own, `<what>-overview.tsx`, which the server
 * announces with the page.
 */
export function Page({ params: { path }, found }: { params: { path: string }; found: Found }) {
  switch (found) {
    case 'project':
      return <Project path={path} />
    case 'group':
      return <Group path={path} />
    default:
      return <User path={path} />
  }
}

function Project({ path }: { path: string }) {
  const part = useLoaded(() => import('./project-overview.js'))
  return part ? <part.ProjectOverview path={path} /> : <OverviewSkeleton />
}

function Group({ path }: { path: string }) {
  const part = useLoaded(() => import('./group-overview.js'))
  return part ? <part.GroupOverview path={path} /> : <OverviewSkeleton />
}

function User({ path }: { path: string }) {
  const part = useLoaded(() => import('./user-overview.js'))
  return part ? <part.UserOverview username={path} /> : <OverviewSkeleton />
}

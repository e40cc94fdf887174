import type { Access } from '../access/permissions.js'
import type { Call, Route } from './operation.js'

/** How the operations on one resource differ between projects and groups. `Subject` is what `at` finds in a call. */
export interface OwnerRoutes<A extends Access, Name extends string, Subject> {
  routes: Record<Name, Route>
  /** Noun phrase for summaries: `a project`. */
  of: string
  read: A
  /** The project or group of a call, and its caller. */
  at: (call: Call<A, unknown>) => Subject
}

import type { FullProject, SimpleProject } from '../../../coordinator/hosting/projects/record/schema.js'

/** The record of a project. Without a session, the API has fewer fields. */
export type ShownProject = SimpleProject & Partial<FullProject>

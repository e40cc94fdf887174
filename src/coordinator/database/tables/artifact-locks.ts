/** The pipeline whose artifacts a branch or tag keeps: its newest successful one. */
export interface ArtifactLockTable {
  project_id: number
  ref: string
  tag: boolean
  pipeline_id: number
}

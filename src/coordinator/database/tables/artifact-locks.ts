/** The pipeline whose artifacts are kept for a branch or tag: its latest successful one. */
export interface ArtifactLockTable {
  project_id: number
  ref: string
  tag: boolean
  pipeline_id: number
}

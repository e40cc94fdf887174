import { rowsOf } from './rows.js'

/** Milestones. */
export const planningRows = rowsOf(`
  # Milestones (API, G4)
  GET P/milestones | iids state title search include_parent_milestones include_ancestors updated_before updated_after | 200
  GET P/milestones/:milestone_id | | 200
  POST P/milestones | title description due_date start_date | 201
  PUT P/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE P/milestones/:milestone_id | | 204
  POST P/milestones/:milestone_id/promote | | 200
  GET G/milestones | iids state title search include_parent_milestones include_ancestors include_descendants updated_before updated_after | 200
  GET G/milestones/:milestone_id | | 200
  POST G/milestones | title description due_date start_date | 201
  PUT G/milestones/:milestone_id | title description due_date start_date state_event | 200
  DELETE G/milestones/:milestone_id | | 204
`)
